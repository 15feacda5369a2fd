/** A server of the Model Context Protocol, as the config names it: a program that is started, or an address. */
export type McpServer = McpProgram | McpAddress

/** A server that is started, and spoken to over its standard input and output. */
export interface McpProgram {
  readonly command: string
  readonly args?: readonly string[]
  /** Added to what the tools get; what a person writes here is kept, also a key. */
  readonly env?: Readonly<Record<string, string>>
}

/** A server that is spoken to over HTTP. */
export interface McpAddress {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** `sse`: the older way, with a stream of events. Default: `http`. */
  readonly type?: 'http' | 'sse'
}
