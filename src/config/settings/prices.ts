import { isPlainObject, isStintError } from '../../core/index.ts'
import { fieldName } from '../../documents/index.ts'
import { type InvalidPriceError, type PriceList, parsePrices } from '../../pricing/index.ts'
import { PRICES_SCHEMA } from '../../pricing/prices/overrides/prices-schema.ts'
import { parsedElsewhere } from '../schema-forms.ts'
import { type Reading, setting } from '../setting.ts'
import { shownValue } from './shown-value.ts'

export const PRICES = setting({
  schema: parsedElsewhere(PRICES_SCHEMA, 'e.g. { my-model: { input: 3, output: 15 } }'),
  description: '[Your own prices](pricing.md#your-own-prices) by model, which win over the table that comes with Stint',
  twoFiles: 'per model, the later one',
  isByName: true,
  allows: (value, name) => `charges the model ${name} by ${shownValue(value)}`,
  none: new Map(),
  read(written, reading): PriceList {
    const before = reading.problems.length
    // Each model by itself first, so that every problem is found, with its line.
    for (const [model, price] of isPlainObject(written) ? Object.entries(written) : []) {
      attempt({ [model]: price }, fieldName('prices', model), reading)
    }
    return reading.problems.length > before ? new Map() : attempt(written, 'prices', reading)
  },
})

function attempt(value: unknown, field: string, { document, problems }: Reading): PriceList {
  const line = document.lineOf(field)
  try {
    return parsePrices(value, { file: line === undefined ? document.file : `${document.file}:${line}` })
  } catch (error) {
    if (!isStintError<InvalidPriceError>(error, 'invalid_price')) throw error
    const { place, value: wrong, message } = error
    // The message begins with the place.
    problems.push({ place, value: wrong, message: message.slice(`${place}: `.length) })
    return new Map()
  }
}
