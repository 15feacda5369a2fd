/** Text, or the environment variable that has it: keys need not stand in a config. */
export type WrittenText = string | { readonly env: string; readonly prefix: string }

/** A server of the Model Context Protocol, as a config has it. What variables have is read when it is used. */
export type McpServerSettings = McpProgramSettings | McpAddressSettings

interface McpProgramSettings {
  readonly kind: 'program'
  readonly command: string
  readonly args: readonly string[]
  readonly env: ReadonlyMap<string, WrittenText>
  /** Where it is written, as a phrase. */
  readonly place: string
}

interface McpAddressSettings {
  readonly kind: 'address'
  readonly url: string
  readonly type: 'http' | 'sse'
  readonly headers: ReadonlyMap<string, WrittenText>
  readonly place: string
}
