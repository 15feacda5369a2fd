import type { GovernedResult } from '../../../adapters/ai-sdk/index.ts'

/** An answer of an agent, and the conversation that led to it. */
export type Answer = Pick<
  GovernedResult,
  'status' | 'output' | 'partialOutput' | 'breach' | 'mayBeHalfDone' | 'messages'
> & { readonly error: unknown }
