import { dirname, isAbsolute, join, resolve } from 'node:path'
import { isPlainObject, showValue } from '../../core/index.ts'
import type { Document } from '../../documents/index.ts'
import type { LogSettings } from './config-file.ts'
import { problemIn } from './document.ts'
import type { ConfigProblem } from './invalid-config-error.ts'
import { readFields } from './read-fields.ts'

/** The largest numbers that a log can be given. */
export const MOST_LOG = { maxBytes: 1024 ** 4, keep: 1000 } as const

/** The longest path of a log. */
export const LONGEST_LOG_PATH = 4096

/** Reads `log`: `false`, a path, or `{ file, maxBytes, keep }`. A path starts at the folder of the config. */
export function readLog(
  document: Document,
  value: unknown,
  homeFolder: string,
  problems: ConfigProblem[],
): { readonly settings: LogSettings | null } | null {
  if (value === false) return { settings: null }
  const before = problems.length
  if (typeof value !== 'string' && !isPlainObject(value)) {
    const forms = 'false, a path, or { file, maxBytes, keep }'
    problems.push(problemIn(document, 'log', value, `${showValue(value)} is no log. Write ${forms}.`))
    return null
  }
  const fields =
    typeof value === 'string'
      ? { file: value }
      : readFields(document, 'log', value, ['file', 'maxBytes', 'keep'] as const, problems)!
  const at = typeof value === 'string' ? 'log' : 'log.file'
  if (!isPath(fields.file)) {
    const message = `${showValue(fields.file)} is no path of a file. Write e.g. logs/execution-limits.log.`
    problems.push(problemIn(document, at, fields.file, message))
  }
  const count = (name: 'maxBytes' | 'keep'): number | null => {
    const number = 'maxBytes' in fields || 'keep' in fields ? (fields as Record<string, unknown>)[name] : undefined
    if (number === undefined) return null
    if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 1 && number <= MOST_LOG[name]) {
      return number
    }
    const message = `${showValue(number)} is no whole number from 1 to ${MOST_LOG[name]}.`
    problems.push(problemIn(document, `log.${name}`, number, message))
    return null
  }
  const [maxBytes, keep] = [count('maxBytes'), count('keep')]
  if (problems.length > before) return null
  return { settings: { file: pathFrom(document, fields.file as string, homeFolder), maxBytes, keep } }
}

function isPath(value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || value.length > LONGEST_LOG_PATH) return false
  return !value.includes('\0')
}

function pathFrom(document: Document, path: string, homeFolder: string): string {
  if (path.startsWith('~/')) return join(homeFolder, path.slice(2))
  return isAbsolute(path) ? path : resolve(dirname(document.file), path)
}
