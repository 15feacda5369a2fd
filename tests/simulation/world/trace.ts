import { createHash } from 'node:crypto'

type Word = string | number | boolean | null | undefined

/** What happened in a seed, in order. Written down as it is, and only made readable when somebody wants to read it. */
export interface Trace {
  note(who: string, what: string, ...words: readonly Word[]): void
  lines(): readonly string[]
  /** The same for two runs of a seed exactly if the same happened in them. */
  hash(): string
}

interface Entry {
  readonly atMs: number
  readonly who: string
  readonly what: string
  readonly words: readonly Word[]
}

/** An empty trace. */
export function createTrace(nowMs: () => number): Trace {
  const entries: Entry[] = []
  const lines = (): readonly string[] =>
    entries.map(
      ({ atMs, who, what, words }) => `${atMs.toFixed(1).padStart(10)} ${who.padEnd(9)} ${what} ${words.join(' ')}`,
    )
  return {
    note(who, what, ...words) {
      entries.push({ atMs: nowMs(), who, what, words })
    },
    lines,
    hash: () => createHash('sha256').update(lines().join('\n')).digest('hex'),
  }
}
