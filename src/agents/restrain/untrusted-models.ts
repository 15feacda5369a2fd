import type { AgentFields } from '../fields/agent-fields.ts'
import type { AgentClaims } from './agent-claims.ts'

/** The models that a file is not trusted with, and their places: no cost limit is dropped for these. */
export function untrustedModels(
  { model, fallbackModels }: AgentFields,
  claims: AgentClaims,
): Readonly<Record<string, string>> {
  const named: readonly (readonly [field: string, model: string])[] = [
    ...(model ? [['model', model] as const] : []),
    ...(fallbackModels ?? []).map((each) => ['fallbackModels', each] as const),
  ]
  const places = named.flatMap(([field, name]): readonly (readonly [string, string])[] => {
    const allows = `uses the model ${name}, whose cost cannot be counted`
    const isAccepted = claims.accepts({ steps: [field, name], value: true, model: name, allows })
    return isAccepted ? [] : [[name, claims.placeOf(field)]]
  })
  return Object.fromEntries(places)
}
