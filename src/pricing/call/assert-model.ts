import { suggestName } from '../../core/checks/suggest-name.ts'
import { InvalidCallError } from './invalid-call-error.ts'

/** Throws `InvalidCallError` unless the call names its model. `fields` are those that can do so, for the suggestion. */
export function assertModel(
  call: { readonly model?: unknown },
  place: string,
  fields: readonly string[],
): asserts call is { readonly model: string } {
  if (typeof call.model === 'string') return
  const written = Object.keys(call).find((key) => !fields.includes(key) && suggestName(key, fields) !== null)
  const choice = fields.includes('price') ? ', or give its price (price: null if its cost is not counted)' : ''
  throw new InvalidCallError({
    place,
    field: 'model',
    value: call.model,
    reason: `a call must name its model${choice}`,
    suggestion: written === undefined ? null : `${suggestName(written, fields)} instead of ${written}`,
  })
}
