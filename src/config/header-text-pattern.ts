/** The text that a header can contain: one line. */
export const HEADER_TEXT_PATTERN = '^[\\t\\u0020-\\u007e]*$'
