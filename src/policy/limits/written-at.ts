import { storableText } from '../../core/checks/storable-text.ts'
import { describeSource, type Layer, type LimitSource } from '../../core/limits/limit-source.ts'

/** Where limits are written, and in which format. The place of each limit is derived from this. */
export interface ParseOptions {
  /** Default: `call`. */
  readonly layer?: Layer | undefined
  readonly file?: string | undefined
  /** The line, or how to find it from a field such as `limits.tokens`. */
  readonly line?: number | ((field: string) => number | undefined) | undefined
  /** The field that holds the parsed input, e.g. `limits`. */
  readonly field?: string | undefined
  /** The flag that a `KEY=VALUE` was given with, e.g. `--limit`. */
  readonly flag?: string | undefined
  /** The command that changes it later, if that is not the one with the flag: `stint budget raise team:core`. */
  readonly command?: string | undefined
  readonly variable?: string | undefined
  readonly preset?: string | undefined
  /** The API call that the limits were passed to, e.g. `governor.open`. */
  readonly call?: string | undefined
  /** Whether `false` clears a limit, as it does in agent files and overrides. */
  readonly allowFalse?: boolean | undefined
  readonly format?: 'native' | 'execution_limits' | 'pi' | 'claude-code' | undefined
}

/** Where the parsed input was written. */
export type WrittenAt = Omit<ParseOptions, 'allowFalse' | 'format'>

/** Adds the API call as the place of limits that have no other place. Defaults have none. */
export function writtenInCall<At extends WrittenAt>(at: At, call: string): At {
  const places = [at.file, at.variable, at.flag, at.preset, at.call]
  return at.layer === 'defaults' || places.some((place) => place !== undefined) ? at : { ...at, call }
}

/** The keys and indexes from the parsed object to a value in it. */
export type FieldPath = readonly (string | number)[]

/** The source of the value at `path`, written under the name `written`. */
export function sourceAt(at: WrittenAt, written: string, path: FieldPath): LimitSource {
  // The ledger stores where a limit was written, even if a file's name is not valid text.
  const field = storableText(fieldOf(at.field, path))
  const line = typeof at.line === 'function' ? lineOf(at.line, at.field, path) : at.line
  return {
    layer: at.layer ?? 'call',
    written,
    ...(field === '' ? {} : { field }),
    ...(at.file === undefined ? {} : { file: storableText(at.file) }),
    ...(line === undefined ? {} : { line }),
    ...(at.flag === undefined ? {} : { flag: storableText(at.flag) }),
    ...(at.command === undefined ? {} : { command: storableText(at.command) }),
    ...(at.variable === undefined ? {} : { variable: storableText(at.variable) }),
    ...(at.preset === undefined ? {} : { preset: storableText(at.preset) }),
    ...(at.call === undefined ? {} : { call: storableText(at.call) }),
  }
}

/** The place of the value at `path`, as a phrase for a message. */
export function placeAt(at: WrittenAt, written: string, path: FieldPath): string {
  return describeSource(sourceAt(at, written, path))
}

const PLAIN_KEY = /^[A-Za-z_$][\w$-]{0,63}$/

function fieldOf(prefix: string | undefined, path: FieldPath): string {
  return path.reduce<string>((field, step) => {
    if (typeof step === 'number') return `${field}[${step}]`
    const key = PLAIN_KEY.test(step) ? step : JSON.stringify(step.slice(0, 64))
    return field === '' ? key : `${field}.${key}`
  }, prefix ?? '')
}

// File readers often know the line of `limits.tokens` but not that of `limits.tokens.max`.
function lineOf(find: (field: string) => number | undefined, prefix: string | undefined, path: FieldPath) {
  for (let length = path.length; length >= 0; length--) {
    const field = fieldOf(prefix, path.slice(0, length))
    const line = field === '' ? undefined : find(field)
    if (line !== undefined) return line
  }
  return undefined
}
