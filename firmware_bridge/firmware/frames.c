#include "frames.h"

uint16_t crc16(uint16_t crc, const uint8_t *data, uint8_t size)
{
    while (size--) {
        crc ^= (uint16_t)((uint16_t)*data++ << 8);
        for (uint8_t bit = 0; bit < 8; bit++)
            crc = (uint16_t)(crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1);
    }
    return crc;
}

static bool whole(const FrameReader *reader)
{
    const uint8_t *body = reader->body;
    uint8_t size = reader->size;
    if (reader->bad || reader->run || size < FRAME_HEAD + FRAME_TAIL || size != FRAME_HEAD + body[3] + FRAME_TAIL)
        return false;
    uint16_t crc = crc16(CRC_START, body, (uint8_t)(size - FRAME_TAIL));
    return body[size - 2] == crc >> 8 && body[size - 1] == (crc & 0xFF);
}

static void keep(FrameReader *reader, uint8_t byte)
{
    if (reader->size == FRAME_MOST)
        reader->bad = true;
    else
        reader->body[reader->size++] = byte;
}

bool frame_byte(FrameReader *reader, uint8_t byte)
{
    if (byte == 0) {
        bool found = whole(reader);
        if (found)
            reader->bad = true; /* `body` stays; `size` is set back by the next run */
        else
            reader->bad = false;
        reader->run = 0;
        reader->zero = false;
        if (!found)
            reader->size = 0;
        return found;
    }
    if (reader->bad && !reader->run && !reader->zero) { /* the first byte after a frame */
        reader->bad = false;
        reader->size = 0;
    }
    if (reader->run == 0) {
        if (reader->zero)
            keep(reader, 0);
        reader->run = (uint8_t)(byte - 1);
        reader->zero = true;
        return false;
    }
    reader->run--;
    keep(reader, byte);
    return false;
}

uint8_t frame_write(uint8_t *wire, uint8_t kind, uint8_t sequence, const uint8_t *payload, uint8_t size)
{
    uint8_t head[FRAME_HEAD] = {PROTOCOL, kind, sequence, size};
    uint16_t crc = crc16(crc16(CRC_START, head, FRAME_HEAD), payload, size);
    uint8_t tail[FRAME_TAIL] = {(uint8_t)(crc >> 8), (uint8_t)crc};
    uint8_t length = 1, code = 0; /* where the length of the run goes that is being written */
    for (uint8_t at = 0; at < FRAME_HEAD + size + FRAME_TAIL; at++) {
        uint8_t byte = at < FRAME_HEAD          ? head[at]
                       : at < FRAME_HEAD + size ? payload[at - FRAME_HEAD]
                                                : tail[at - FRAME_HEAD - size];
        if (byte == 0) {
            wire[code] = (uint8_t)(length - code);
            code = length++;
        } else {
            wire[length++] = byte;
        }
    }
    wire[code] = (uint8_t)(length - code);
    wire[length++] = 0;
    return length;
}
