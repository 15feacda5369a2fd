import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Expression {
  readonly pattern: string
  readonly isLiteral: boolean
  readonly ignoreCase: boolean
}

export interface GrepAsked extends Expression {
  readonly base: string
  /** Relative to `base`. */
  readonly files: readonly string[]
  /** Lines to show around each match. */
  readonly context: number
  readonly mostMatches: number
  readonly mostPerFile: number
}

export interface FileMatches {
  readonly file: string
  readonly lines: readonly { readonly number: number; readonly text: string; readonly isMatch: boolean }[]
}

export interface GrepFound {
  readonly matches: readonly FileMatches[]
  readonly count: number
  /** Why the search is incomplete; `null` if it is complete. */
  readonly cut: 'matches' | 'bytes' | null
  /** Files that are too long to search. */
  readonly tooLong: readonly string[]
}

const LONGEST_FILE = 8 * 1024 * 1024
const MOST_BYTES = 512 * 1024 * 1024
const LONGEST_LINE = 300
const LEAD = 100
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

/** Searches files for a regular expression, line by line. May never end: run it in a thread that can be ended. */
export function grepFiles(asked: GrepAsked): GrepFound {
  const expression = expressionOf(asked)
  const matches: FileMatches[] = []
  const tooLong: string[] = []
  let count = 0
  let bytes = 0
  for (const file of asked.files) {
    if (count >= asked.mostMatches) return { matches, count, cut: 'matches', tooLong }
    if (bytes > MOST_BYTES) return { matches, count, cut: 'bytes', tooLong }
    const content = readOr(join(asked.base, file))
    if (content === null) continue
    if (content === 'too-long') {
      tooLong.push(file)
      continue
    }
    bytes += content.length
    if (content.subarray(0, 8192).includes(0)) continue
    const lines = content.toString('utf8').split(/\r?\n/)
    const hits: number[] = []
    const mostHere = Math.min(asked.mostPerFile, asked.mostMatches - count)
    for (let index = 0; index < lines.length && hits.length < mostHere; index++) {
      if (expression.test(lines[index]!)) hits.push(index)
    }
    count += hits.length
    if (hits.length > 0) matches.push({ file, lines: around(lines, hits, asked.context, expression) })
  }
  return { matches, count, cut: count >= asked.mostMatches ? 'matches' : null, tooLong }
}

/** Compiles a pattern, with support for a leading `(?i)` and for escapes that Unicode mode refuses. */
export function expressionOf({ pattern, isLiteral, ignoreCase }: Expression): RegExp {
  const prefix = isLiteral ? null : /^\(\?i\)/.exec(pattern)
  const source = isLiteral
    ? pattern.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
    : pattern.slice(prefix?.[0].length ?? 0)
  const flags = ignoreCase || prefix !== null ? 'i' : ''
  try {
    return new RegExp(source, `${flags}u`)
  } catch {
    return new RegExp(source, flags)
  }
}

function around(
  lines: readonly string[],
  hits: readonly number[],
  context: number,
  expression: RegExp,
): FileMatches['lines'] {
  const isHit = new Set(hits)
  const shown = new Set(
    hits.flatMap((hit) => Array.from({ length: 2 * context + 1 }, (_, step) => hit - context + step)),
  )
  const isThere = (index: number): boolean => index >= 0 && index < lines.length
  return [...shown]
    .filter(isThere)
    .sort((left, right) => left - right)
    .map((index) => ({
      number: index + 1,
      text: cut(lines[index]!, isHit.has(index) ? expression : null),
      isMatch: isHit.has(index),
    }))
}

/** Cuts a long line around its match. */
function cut(line: string, expression: RegExp | null): string {
  if (line.length <= LONGEST_LINE) return line
  const at = expression?.exec(line)?.index ?? 0
  const start = Math.max(0, at - LEAD)
  const end = start + LONGEST_LINE
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`
}

function readOr(path: string): Buffer | 'too-long' | null {
  try {
    const descriptor = openSync(path, FLAGS)
    try {
      const stats = fstatSync(descriptor)
      if (!stats.isFile()) return null
      return stats.size > LONGEST_FILE ? 'too-long' : readFileSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // Not readable, or already gone.
    return null
  }
}
