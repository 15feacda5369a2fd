/** Throws for a misspelled option. A copy, since the provider shares no code with what it tests. */
export function assertKnownOptions<Options extends object>(
  place: string,
  options: Options,
  known: Readonly<Record<keyof Options, true>>,
): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue
    throw new Error(`${place} has no option ${JSON.stringify(name)}. The options are ${Object.keys(known).join(', ')}.`)
  }
}
