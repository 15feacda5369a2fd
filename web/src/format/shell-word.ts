import { plainText } from './plain-text.ts'

const HARMLESS = /^[\w@%+=:,./-]+$/

/** A name as one word of a command line: copying the command runs nothing that the name contains. */
export function shellWord(name: string): string {
  const plain = plainText(name)
  return HARMLESS.test(plain) && !plain.startsWith('-') ? plain : `'${plain.replaceAll("'", "'\\''")}'`
}
