/* What tests on a computer need beside the core itself: a controller of their own, and a look at it. */
#include <stdlib.h>

#include "bridge.h"

Bridge *host_new(uint8_t reset, uint8_t levels)
{
    Bridge *bridge = malloc(sizeof *bridge);
    if (bridge)
        bridge_start(bridge, BOARD_HOST, reset, levels);
    return bridge;
}

uint8_t host_outputs(const Bridge *bridge) { return bridge->outputs; }

void host_pressed(Shot *shot, uint8_t wanted, Moment reveal_at, Moment now, int16_t hopper, bool timed)
{
    *shot = shot_pressed(wanted, reveal_at, now, hopper, timed);
}
