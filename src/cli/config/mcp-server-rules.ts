import { BASE_URL_PATTERN } from './read-upstreams.ts'

// What names, texts and lists of MCP servers may be: the parser and the schema both read it here.

/** Part of the names of its tools, mcp__SERVER__TOOL, of which providers take no other characters. */
export const SERVER_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$'
/** No user and nothing after a `#`; some servers want a query. */
export const SERVER_URL_PATTERN = BASE_URL_PATTERN.replace(
  /\$$/,
  () => "(?:\\?[A-Za-z0-9._~!$&'()*+,;=:@/?%-]{0,2000})?$",
)
export const SERVER_TYPES = ['http', 'sse'] as const
export const PROGRAM_VARIABLE_PATTERN = '^[A-Za-z_][A-Za-z0-9_]{0,127}$'
export const HEADER_PATTERN = "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$"
/** What a program can be given. */
export const PROGRAM_TEXT_PATTERN = '^[^\\u0000]*$'
/** What a header can have: one line of it. */
export const HEADER_TEXT_PATTERN = '^[\\t\\u0020-\\u007e]*$'
export const LONGEST_TEXT = 32_768
export const LONGEST_COMMAND = 4096
export const MOST_SERVERS = 100
/** Arguments, variables or headers of one server. */
export const MOST_PARTS = 200
