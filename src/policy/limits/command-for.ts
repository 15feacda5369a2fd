/** `stint budget raise team:core`, with a name that a shell would split in quotes. */
export function commandFor(command: string, name: string): string {
  return `${command} ${/^[\w:.@/+-]+$/.test(name) ? name : JSON.stringify(name)}`
}
