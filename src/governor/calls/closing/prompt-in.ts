import type { ModelCallSpec } from '../../call.ts'

export type SizedCall = Pick<ModelCallSpec, 'inputTokens' | 'providerReading'>

/** The prompt of a call, without what is set aside for tools that the provider runs. */
export function promptIn({ inputTokens, providerReading }: SizedCall): number {
  return Math.max(0, inputTokens - (providerReading?.tokens ?? 0))
}

/** What of the input of a call the next prompt carries at most: what was read again is not read a third time. */
export function promptAfter(spec: SizedCall): number {
  return promptIn(spec) + (spec.providerReading?.resultTokens ?? 0)
}
