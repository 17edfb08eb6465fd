/* Frames on the wire: COBS, a CRC-16, a zero byte between two. The host's end is firmware_bridge/frames.py. */
#pragma once

#include "core.h"

#define FRAME_HEAD 4 /* version, kind, sequence, length */
#define FRAME_TAIL 2 /* CRC, high byte first */
#define FRAME_MOST (FRAME_HEAD + MOST_PAYLOAD + FRAME_TAIL)

/* Finds frames in a stream, byte by byte; takes COBS off as they come. */
typedef struct {
    uint8_t body[FRAME_MOST];
    uint8_t size;
    uint8_t run; /* bytes left of this run */
    bool zero;   /* a zero is owed before the next run */
    bool bad;    /* no frame until the next delimiter */
} FrameReader;

uint16_t crc16(uint16_t crc, const uint8_t *data, uint8_t size);

/* Takes one byte of the stream. True when it completes a frame; it lies in `body` until the next byte. */
bool frame_byte(FrameReader *reader, uint8_t byte);

/* Writes a frame with its delimiter to `wire` (payload + 8 bytes at the most). How many bytes it has. */
uint8_t frame_write(uint8_t *wire, uint8_t kind, uint8_t sequence, const uint8_t *payload, uint8_t size);
