import type { GovernedResult } from '../../../adapters/ai-sdk/index.ts'
import type { JsonSchema } from '../../../policy/index.ts'
import type { RunParts } from '../work-on-run.ts'
import { structuredAnswer } from './structured-answer.ts'

/** An answer of an agent, and the conversation that has led to it. */
export type Answer = Pick<
  GovernedResult,
  'status' | 'output' | 'partialOutput' | 'breach' | 'mayBeHalfDone' | 'messages'
> & { readonly error: unknown }

/** A result, with its answer as the value that was asked for. */
export type StructuredResult<Result> = Result & { readonly structured?: unknown }

/** Whether an answer counts. Runs that did not complete have nothing to check, and are accepted as they are. */
export type CheckedAnswer =
  | { readonly kind: 'accepted'; readonly result: StructuredResult<Answer> }
  /** `reasons` are for the agent; `result` is what the run ends with unless it tries again. */
  | { readonly kind: 'rejected'; readonly reasons: string; readonly result: StructuredResult<Answer> }

/** Checks an answer against what was asked for. */
export async function checkAnswer({ saved }: RunParts, answer: Answer): Promise<CheckedAnswer> {
  const result = withValue(answer, saved.outputSchema ?? null)
  if (answer.status !== 'completed' || result.status === 'completed') return { kind: 'accepted', result }
  const reasons = `${String((result.error as Error).message)} Send the JSON value again, and nothing else.`
  return { kind: 'rejected', reasons, result }
}

/** Reads the answer of a completed run as the value that it is to be. */
export function withValue<
  Result extends Pick<GovernedResult, 'status' | 'output' | 'partialOutput'> & { readonly error: unknown },
>(result: Result, schema: JsonSchema | null): StructuredResult<Result> {
  if (schema === null || result.status !== 'completed') return result
  const answer = typeof result.output === 'string' ? result.output : (JSON.stringify(result.output) ?? '')
  const read = structuredAnswer(answer, schema)
  if (read.kind === 'valid') {
    return { ...result, output: JSON.stringify(read.value, null, 2), structured: read.value }
  }
  const error = new Error(`The answer does not match outputSchema. ${read.message}`)
  return { ...result, status: 'failed', output: null, partialOutput: answer, error }
}
