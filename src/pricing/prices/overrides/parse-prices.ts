import { assertKnownOptions, optionNames } from '../../../core/checks/assert-known-options.ts'
import { isPlainObject } from '../../../core/checks/is-plain-object.ts'
import { normalizeModelName } from '../model-name.ts'
import { InvalidPriceError } from './invalid-price-error.ts'
import { parsePriceEntry } from './parse-price-entry.ts'
import type { PriceEntry, PriceList } from './price-entry.ts'

const MOST_MODELS = 10_000
const MOST_DATES = 50
const VALID_FORM = '{ "my-model": { input: 3, output: 15 } }, in USD per million tokens'

const OPTIONS = optionNames<{ readonly file?: string; readonly field?: string }>({ file: true, field: true })

/**
 * Reads the prices that a user wrote: one object per model, or a list of them with `from` dates. Throws
 * `InvalidPriceError` at the first invalid one. `file` is where they come from, for messages, and `field` the path to
 * them inside the file (default: `prices`).
 */
export function parsePrices(
  input: unknown,
  options: { readonly file?: string; readonly field?: string } = {},
): PriceList {
  assertKnownOptions('parsePrices', options, OPTIONS)
  const { field = 'prices', file } = options
  const placeOf = (path: string) => (file === undefined ? path : `${path} in ${file}`)
  if (!isPlainObject(input)) {
    throw new InvalidPriceError({
      place: placeOf(field),
      value: input,
      reason: 'is not a list of prices',
      validForm: VALID_FORM,
    })
  }
  const models = Object.keys(input)
  if (models.length > MOST_MODELS) {
    const reason = `are more than ${MOST_MODELS} models`
    throw new InvalidPriceError({ place: placeOf(field), value: models.length, reason, validForm: VALID_FORM })
  }
  const prices = new Map<string, readonly PriceEntry[]>()
  for (const model of models) {
    const name = normalizeModelName(model)
    if (name === null) {
      const reason = 'is not a valid model name (1 to 200 printable characters without spaces)'
      throw new InvalidPriceError({ place: placeOf(field), value: model, reason, validForm: VALID_FORM })
    }
    if (prices.has(name)) {
      const reason = 'is priced twice; give one object, or a list of objects with "from" dates'
      throw new InvalidPriceError({ place: placeOf(field), value: model, reason, validForm: VALID_FORM })
    }
    prices.set(
      name,
      parseEntries(name, input[model], (path) => placeOf(`${field}[${JSON.stringify(model)}]${path}`)),
    )
  }
  return prices
}

function parseEntries(model: string, value: unknown, placeOf: (path: string) => string): readonly PriceEntry[] {
  if (!Array.isArray(value)) return [parsePriceEntry(model, value, placeOf)]
  if (value.length === 0 || value.length > MOST_DATES) {
    const reason = `is not a list of 1 to ${MOST_DATES} prices`
    throw new InvalidPriceError({ place: placeOf(''), value, reason, validForm: VALID_FORM })
  }
  const entries = value.map((entry, index) => parsePriceEntry(model, entry, (path) => placeOf(`[${index}]${path}`)))
  const days = entries.map((entry) => entry.from ?? '')
  const repeated = days.findIndex((day, index) => days.indexOf(day) !== index)
  if (repeated !== -1) {
    const reason = 'is also the day of another price of this model'
    const validForm = 'one price without "from", and a different day for each of the others, e.g. from: "2026-12-01"'
    throw new InvalidPriceError({
      place: placeOf(`[${repeated}].from`),
      value: entries[repeated]!.from,
      reason,
      validForm,
    })
  }
  return entries.sort((left, right) => ((left.from ?? '') < (right.from ?? '') ? -1 : 1))
}
