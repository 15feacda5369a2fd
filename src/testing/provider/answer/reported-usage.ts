import type { JsonObject } from '../json/json-value.ts'
import type { UsageReport } from '../provider-turn.ts'

/** The usage that the turn reports. Spread it into its parent, since a missing usage has no field at all. */
export function reportedUsage(
  report: UsageReport,
  usage: JsonObject,
  outputField: string,
): { readonly usage?: unknown } {
  if (report === 'missing') return {}
  if (report === 'negative') return { usage: { ...usage, [outputField]: -Number(usage[outputField]) - 1 } }
  return { usage: typeof report === 'object' ? report.raw : usage }
}
