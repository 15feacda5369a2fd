/**
 * A name as the least strict file system compares it: without case, invisible characters, or trailing dots and spaces,
 * in one Unicode form. Two names that differ here are different files everywhere.
 */
export function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replace(/[. ]+$/, '')
}
