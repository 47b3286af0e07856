#include <string.h>

#define HEADER   0xA5
#define OVERHEAD 4 /* header, type, length, check */

static uint8_t sum_of(const uint8_t *bytes, size_t n)
{
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += bytes[i];
    }
    return (uint8_t)sum;
}

static void drop_first(struct template_name_parser *parser)
{
    parser->n--;
    parser->dropped++;
    memmove(parser->buffer, parser->buffer + 1, parser->n);
}

/* The length of the frame at the front of the buffer; 0: not known yet. Drops what cannot be the
 * front of a frame. */
static size_t frame_length(struct template_name_parser *parser)
{
    while (parser->n > 0) {
        if (parser->buffer[0] == HEADER && parser->n < 3) {
            return 0;
        }
        if (parser->buffer[0] == HEADER && parser->buffer[2] <= TEMPLATE_NAME_MAX_PAYLOAD) {
            return parser->buffer[2] + (size_t)OVERHEAD;
        }
        drop_first(parser);
    }
    return 0;
}

/* Takes the complete frame at the front out of the buffer. */
static bool take_frame(struct template_name_parser *parser, struct template_name_frame *ret)
{
    size_t length = frame_length(parser);
    while (length > 0 && parser->n >= length) {
        if (sum_of(parser->buffer, length) != 0) {
            drop_first(parser);
            length = frame_length(parser);
            continue;
        }
        ret->type = parser->buffer[1];
        ret->length = parser->buffer[2];
        memcpy(ret->payload, parser->buffer + 3, ret->length);
        parser->n -= length;
        memmove(parser->buffer, parser->buffer + length, parser->n);
        return true;
    }
    return false;
}

bool template_name_parser_next(struct template_name_parser *parser, struct dpl_byte_view *input,
                               struct template_name_frame *ret)
{
    while (!take_frame(parser, ret)) {
        if (input->size == 0) {
            return false;
        }
        parser->buffer[parser->n++] = *input->data++;
        input->size--;
    }
    return true;
}

static size_t finish_frame(uint8_t *frame, uint8_t type, uint8_t length)
{
    frame[0] = HEADER;
    frame[1] = type;
    frame[2] = length;
    frame[length + 3] = (uint8_t)-sum_of(frame, length + (size_t)3);
    return length + (size_t)OVERHEAD;
}
