import type { JsonObject } from '../json/json-value.ts'
import type { UsageReport } from '../provider-turn.ts'

/** A usage object as the turn wants it told: spread it into its surroundings, since a missing one has no field at all. */
export function reportedUsage(
  report: UsageReport,
  usage: JsonObject,
  outputField: string,
): { readonly usage?: unknown } {
  if (report === 'missing') return {}
  if (report === 'negative') return { usage: { ...usage, [outputField]: -Number(usage[outputField]) - 1 } }
  return { usage: typeof report === 'object' ? report.raw : usage }
}
