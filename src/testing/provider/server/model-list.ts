import type { JsonObject } from '../json/json-value.ts'
import type { ProviderDialectName } from '../provider-request.ts'

/** A model as a provider lists it. */
export function modelEntry(name: string, dialect: ProviderDialectName, nowSeconds: number): JsonObject {
  if (dialect !== 'anthropic-messages') return { id: name, object: 'model', created: nowSeconds, owned_by: 'scripted' }
  return { type: 'model', id: name, display_name: name, created_at: new Date(nowSeconds * 1000).toISOString() }
}

/** The list of models. */
export function modelList(names: readonly string[], dialect: ProviderDialectName, nowSeconds: number): JsonObject {
  const data = names.map((name) => modelEntry(name, dialect, nowSeconds))
  if (dialect !== 'anthropic-messages') return { object: 'list', data }
  return { data, has_more: false, first_id: names[0] ?? null, last_id: names.at(-1) ?? null }
}
