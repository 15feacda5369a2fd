import { foldName } from './fold-name.ts'

// Sequences of names, anywhere below the working folder: what a run in a folder further down would read counts too.
const PROTECTED: readonly (readonly string[])[] = [
  ['.stint'],
  ['stint.config.yaml'],
  ['stint.config.yml'],
  ['stint.config.json'],
  ['.claude', 'agents'],
  ['.claude', 'settings.json'],
  ['.claude', 'settings.local.json'],
  ['.pi', 'agents'],
  ['.pi', 'agent', 'agents'],
  ['.pi', 'settings.json'],
  ['.agents'],
  // Its config and hooks run programs in the name of whoever uses git next.
  ['.git'],
]

/** The protected name that a path has in it, e.g. `.stint`; `null` if it has none. */
export function protectedNameIn(names: readonly string[]): string | null {
  const folded = names.map(foldName)
  for (const sequence of PROTECTED) {
    const isAt = (start: number): boolean => sequence.every((name, index) => folded[start + index] === name)
    if (folded.some((_, start) => isAt(start))) return sequence.join('/')
  }
  return null
}
