import { describeSource, type Layer, type LimitSource } from '../core/limit-source.ts'
import { storableText } from '../core/storable-text.ts'

/** Where the whole of what is parsed was written. The place of each limit in it is made from this. */
export interface WrittenAt {
  /** `call` unless told otherwise. */
  readonly layer?: Layer | undefined
  readonly file?: string | undefined
  /** The line, or how to find it from a field such as `limits.tokens`. */
  readonly line?: number | ((field: string) => number | undefined) | undefined
  /** The field that holds what is parsed, e.g. `limits`. */
  readonly field?: string | undefined
  /** The flag that a `KEY=VALUE` was given with, e.g. `--limit`. */
  readonly flag?: string | undefined
  /** The command that changes it later, where it is not the one with the flag: `stint budget raise team:core`. */
  readonly command?: string | undefined
  readonly variable?: string | undefined
  readonly preset?: string | undefined
  /** The API call that the limits were handed to, e.g. `governor.open`. */
  readonly call?: string | undefined
}

/** Limits that were handed over in code, unless a place is known or they are nobody's. */
export function writtenInCall<At extends WrittenAt>(at: At, call: string): At {
  const places = [at.file, at.variable, at.flag, at.preset, at.call]
  return at.layer === 'defaults' || places.some((place) => place !== undefined) ? at : { ...at, call }
}

/** Keys and indexes that lead from the parsed object to a value in it. */
export type FieldPath = readonly (string | number)[]

/** The source of the value at `path`, written under the name `written`. */
export function sourceAt(at: WrittenAt, written: string, path: FieldPath): LimitSource {
  // The ledger keeps where a limit was written, also where a file has a name that is not whole.
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

// A reader of files often knows the line of `limits.tokens` but not that of `limits.tokens.max`.
function lineOf(find: (field: string) => number | undefined, prefix: string | undefined, path: FieldPath) {
  for (let length = path.length; length >= 0; length--) {
    const field = fieldOf(prefix, path.slice(0, length))
    const line = field === '' ? undefined : find(field)
    if (line !== undefined) return line
  }
  return undefined
}
