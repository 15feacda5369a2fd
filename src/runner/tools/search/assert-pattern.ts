import { ToolFailure } from '../tool-failure.ts'

const LONGEST = 1_000

/** Refuses unreasonable patterns, and those that lead out of the searched folder. */
export function assertPattern(name: string, pattern: string): void {
  if (pattern === '') throw new ToolFailure(`${name} is empty. Give one, e.g. "src/**/*.ts".`)
  if (pattern.includes('\0')) throw new ToolFailure(`${name} has a NUL character in it. Leave it out.`)
  if (pattern.length > LONGEST)
    throw new ToolFailure(`${name} has ${pattern.length} characters; the limit is ${LONGEST}.`)
  const parts = pattern.split(/[\\/,{}()|]/)
  if (pattern.startsWith('/') || parts.includes('..')) {
    throw new ToolFailure(`${name} leads out of the folder. Use a pattern without ".." that does not start with "/".`)
  }
}
