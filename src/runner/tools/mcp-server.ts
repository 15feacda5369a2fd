/** An MCP server in the config: a program to start, or an address. */
export type McpServer = McpProgram | McpAddress

/** A program that speaks MCP over its standard input and output. */
export interface McpProgram {
  readonly command: string
  readonly args?: readonly string[]
  /** Added to the tools' environment; keys in it are kept, since the user wrote them. */
  readonly env?: Readonly<Record<string, string>>
}

/** A server that speaks MCP over HTTP. */
export interface McpAddress {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** `sse`: the older transport with a stream of events. Default: `http`. */
  readonly type?: 'http' | 'sse'
}
