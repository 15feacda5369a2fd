import { isPlainObject, isStintError } from '../../core/index.ts'
import { type Document, fieldName } from '../../documents/index.ts'
import { type InvalidPriceError, type PriceList, parsePrices } from '../../pricing/index.ts'
import type { ConfigProblem } from './invalid-config-error.ts'

/** Reads `prices`. Each model is read by itself first, so that every problem is found, with its line. */
export function readPrices(document: Document, value: unknown, problems: ConfigProblem[]): PriceList {
  const before = problems.length
  if (isPlainObject(value)) {
    for (const model of Object.keys(value)) {
      attempt({ [model]: value[model] }, document, document.lineOf(fieldName('prices', model)), problems)
    }
  }
  if (problems.length > before) return new Map()
  return attempt(value, document, document.lineOf('prices'), problems) ?? new Map()
}

function attempt(
  value: unknown,
  document: Document,
  line: number | undefined,
  problems: ConfigProblem[],
): PriceList | null {
  try {
    return parsePrices(value, { file: line === undefined ? document.file : `${document.file}:${line}` })
  } catch (error) {
    if (!isStintError(error, 'invalid_price')) throw error
    const { place, value: wrong, message } = error as unknown as InvalidPriceError
    // The message begins with the place.
    problems.push({ place, value: wrong, message: message.slice(`${place}: `.length) })
    return null
  }
}
