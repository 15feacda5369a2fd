import { isAmount } from '../../../../core/index.ts'
import { BadRequestError } from '../../../bad-request-error.ts'
import { type JsonObject, objectFrom } from './json-value.ts'

/** The model's name. Without one nothing can be priced. */
export function readModel(body: JsonObject): string {
  const { model } = body
  if (typeof model !== 'string' || model === '') {
    throw new BadRequestError('model', `is ${shown(model)}, but must name a model, e.g. "gpt-5"`)
  }
  return model
}

/** A boolean; missing and `null` mean `false`. */
export function readFlag(body: JsonObject, field: string): boolean {
  const value = body[field]
  if (value === undefined || value === null || typeof value === 'boolean') return value === true
  throw new BadRequestError(field, `is ${shown(value)}, but must be true or false`)
}

/** A whole number from `smallest` on; `null` if missing. */
export function readCount(body: JsonObject, field: string, smallest = 1): number | null {
  const value = body[field]
  if (value === undefined || value === null) return null
  if (isAmount(value) && value >= smallest) return value
  throw new BadRequestError(field, `is ${shown(value)}, but must be a whole number from ${smallest}`)
}

/** A list; `null` if missing, or refused if it must be a list of `what`. */
export function readList(body: JsonObject, field: string, what?: string): readonly unknown[] | null {
  const value = body[field]
  if (Array.isArray(value)) return value
  if (value !== undefined && value !== null) {
    throw new BadRequestError(field, `is ${shown(value)}, but must be a list`)
  }
  if (what !== undefined) throw new BadRequestError(field, `is missing, but must be a list of ${what}`)
  return null
}

/** A list of objects; `null` if missing. */
export function readObjects(body: JsonObject, field: string): readonly JsonObject[] | null {
  const value = readList(body, field)
  value?.forEach((entry, index) => {
    if (objectFrom(entry) === null) {
      throw new BadRequestError(`${field}[${index}]`, `is ${shown(entry)}, but must be an object`)
    }
  })
  return value as readonly JsonObject[] | null
}

const LONGEST_SHOWN = 60

/** A value for a message, shortened if it is long. */
export function shown(value: unknown): string {
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value)
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}
