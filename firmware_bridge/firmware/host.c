/* What tests on a computer need beside the core itself: a controller of their own, and a look at it. */
#include <stdlib.h>
#include <string.h>

#include "bridge.h"

Bridge *host_new(uint8_t reset, uint8_t levels, uint16_t used_ms)
{
    Bridge *bridge = malloc(sizeof *bridge);
    if (bridge)
        bridge_start(bridge, BOARD_HOST, reset, levels, used_ms);
    return bridge;
}

uint8_t host_outputs(const Bridge *bridge) { return bridge->outputs; }

size_t host_size(const char *name)
{
#define SIZE(kind)                                                                                                     \
    if (strcmp(name, #kind) == 0)                                                                                      \
        return sizeof(kind);
    SIZE(Settings) SIZE(Shot) SIZE(Seen) SIZE(CardTime) SIZE(Counter) SIZE(FrameReader)
    return 0;
}
