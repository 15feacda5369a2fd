/**
 * A name as the least exact of file systems compares it: without case, without the characters that nobody sees, in one
 * Unicode form, without dots and spaces at its end. Two names that differ here are two files everywhere.
 */
export function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replace(/[. ]+$/, '')
}
