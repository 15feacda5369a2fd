import { createHash } from 'node:crypto'

// Some file systems treat "A" and "a" as one name.
const PLAIN = /^[a-z0-9](?:[a-z0-9_-]{0,30}[a-z0-9])?$/

/** A key as part of an id: unchanged if it is plain, else its plain characters and a digest. */
export function keyWord(key: string): string {
  if (PLAIN.test(key)) return key
  const word = key
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 20)
    .replace(/-+$/, '')
  const digest = createHash('sha256').update(key).digest('hex').slice(0, 10)
  return word === '' ? digest : `${word}-${digest}`
}

/** The id of the only agent of a step, or of the one with this key: the same whenever the group is resumed. */
export function childId(group: string, step: number, key: string | null): string {
  return key === null ? `${group}.${step + 1}` : `${group}.${step + 1}.${keyWord(key)}`
}
