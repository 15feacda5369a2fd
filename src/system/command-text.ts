/** A command line on one line, for people: arguments that a shell would split are quoted. */
export function commandText(command: string, args: readonly string[]): string {
  return [command, ...args].map(quoted).join(' ')
}

function quoted(word: string): string {
  if (word !== '' && !/[\s"'`$&|;<>()*?#~!\\]/.test(word)) return word
  return `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
