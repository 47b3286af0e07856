struct template_name_frame {
    uint8_t type, length;
    uint8_t payload[TEMPLATE_NAME_MAX_PAYLOAD];
};

/* Zero-initialise. */
struct template_name_parser {
    uint8_t buffer[TEMPLATE_NAME_MAX_FRAME];
    size_t n;
    uint64_t dropped; /* bytes that belong to no frame */
};

/* Takes bytes from the front of `input` until a frame is complete. Returns false when all bytes are
 * taken. */
bool template_name_parser_next(struct template_name_parser *parser, struct dpl_byte_view *input,
                               struct template_name_frame *ret);
