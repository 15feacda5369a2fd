// Control characters, and those that turn or hide text.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu

/** A name or a message on one line, with nothing invisible in it: it may come from a model or a stranger. */
export function plainText(text: string): string {
  return text.replace(INVISIBLE, (found) => (found === '\n' || found === '\t' ? ' ' : '\ufffd'))
}

/** A text of several lines, with nothing invisible in it. */
export function plainLines(text: string): string {
  return text.replace(INVISIBLE, (found) => (found === '\n' || found === '\t' ? found : '\ufffd'))
}
