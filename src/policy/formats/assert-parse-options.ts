import { assertKnownOptions, optionNames } from '../../core/checks/assert-known-options.ts'
import { assertOneOf } from '../../core/checks/invalid-option-error.ts'
import { LIMIT_FORMATS } from '../limits/limit-names.ts'
import type { ParseOptions, WrittenAt } from '../limits/written-at.ts'

const WRITTEN_AT = {
  layer: true,
  file: true,
  line: true,
  field: true,
  flag: true,
  variable: true,
  preset: true,
  call: true,
  command: true,
} as const

const WRITTEN_AT_NAMES = optionNames<WrittenAt>(WRITTEN_AT)
const PARSE_NAMES = optionNames<ParseOptions>({ ...WRITTEN_AT, allowFalse: true, format: true })
const LAYER_NAMES = optionNames<ParseOptions & { readonly limits: unknown }>({
  ...WRITTEN_AT,
  allowFalse: true,
  format: true,
  limits: true,
})

/** Refuses a misspelled option of a function that reads one limit. */
export function assertWrittenAt(place: string, at: WrittenAt): void {
  assertKnownOptions(place, at, WRITTEN_AT_NAMES)
}

/** Refuses a misspelled option of a function that reads several limits. */
export function assertParseOptions(place: string, options: ParseOptions): void {
  assertKnownOptions(place, options, PARSE_NAMES)
  if (options.format !== undefined) assertOneOf(`${place}({ format })`, options.format, LIMIT_FORMATS)
}

/** Refuses a misspelled field of a layer. */
export function assertLayerOptions(place: string, layer: ParseOptions & { readonly limits: unknown }): void {
  assertKnownOptions(place, layer, LAYER_NAMES)
}
