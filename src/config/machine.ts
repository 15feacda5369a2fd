/** What a config needs to know about the machine. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workingFolder: string
  readonly homeFolder: string
}
