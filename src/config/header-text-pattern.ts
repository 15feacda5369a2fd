/** What a header can have: one line of text. */
export const HEADER_TEXT_PATTERN = '^[\\t\\u0020-\\u007e]*$'
