import type { GovernedResult } from '../../../adapters/ai-sdk/index.ts'
import type { JsonSchema } from '../../../policy/index.ts'
import { structuredAnswer } from './structured-answer.ts'

type Answered = Pick<GovernedResult, 'status' | 'output' | 'partialOutput'> & { readonly error: unknown }

/** Reads the answer of a completed run as the value that it must be. */
export function withValue<Result extends Answered>(
  result: Result,
  schema: JsonSchema | null,
): Result & { readonly structured?: unknown } {
  if (schema === null || result.status !== 'completed') return result
  const answer = typeof result.output === 'string' ? result.output : (JSON.stringify(result.output) ?? '')
  const read = structuredAnswer(answer, schema)
  if (read.kind === 'valid') {
    return { ...result, output: JSON.stringify(read.value, null, 2), structured: read.value }
  }
  const error = new Error(`The answer does not match outputSchema. ${read.message}`)
  return { ...result, status: 'failed', output: null, partialOutput: answer, error }
}
