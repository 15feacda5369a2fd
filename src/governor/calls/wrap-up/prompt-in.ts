import type { ModelCallSpec } from '../../call.ts'

export type SizedCall = Pick<ModelCallSpec, 'inputTokens' | 'providerReading'>

/** The prompt of a call, without what is reserved for provider-run tools. */
export function promptIn({ inputTokens, providerReading }: SizedCall): number {
  return Math.max(0, inputTokens - (providerReading?.tokens ?? 0))
}

/** The most of a call's input that the next prompt can carry: repeated reads within the call are not carried over. */
export function promptAfter(spec: SizedCall): number {
  return promptIn(spec) + (spec.providerReading?.resultTokens ?? 0)
}
