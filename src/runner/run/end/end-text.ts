import type { Breach } from '../../../core/index.ts'
import { errorText } from '../record/recorded-tools.ts'
import type { ResourceLimitExceeded, RunStatus } from './run-result.ts'

/** How a run ended. */
export interface RunEnd {
  readonly status: RunStatus
  readonly breach: Breach | null
  readonly error: unknown
}

/** Why a run did not complete, in one sentence; `null` if it completed or is paused. */
export function endText({ status, breach, error }: RunEnd, resource: ResourceLimitExceeded | null): string | null {
  if (status === 'completed' || status === 'paused') return null
  if (status === 'timed-out' && breach !== null) return `Timed out after ${breach.limit}ms.`
  if (resource !== null) return resource.message
  if (breach !== null && status === 'limit-reached') return breach.message
  if (status === 'stopped') return 'Stopped before it finished.'
  return error === null ? `The run ended as ${status}.` : errorText(error)
}

const PI_METERS = { time: 'maxExecutionTimeMs', uncachedTokens: 'maxTokens' } as const

/** A limit in pi's terms, if it was written with pi's name or the run uses pi's terms. */
export function resourceLimitExceeded(
  { status, breach }: RunEnd,
  agent: string,
  words: 'stint' | 'pi' | null,
): ResourceLimitExceeded | null {
  if (breach === null || status !== 'limit-reached' || words === 'stint') return null
  const { meter, limit, settled, source } = breach
  if (meter !== 'time' && meter !== 'uncachedTokens') return null
  const kind = PI_METERS[meter]
  if (source.written !== kind && words !== 'pi') return null
  const unit = meter === 'time' ? 'ms' : ''
  return { kind, limit, observed: settled, message: `Resource limit exceeded for ${agent}: ${kind} ${limit}${unit}.` }
}

/** For the task record: the limit as it was written. */
export function limitText(breach: Breach): string {
  return `Execution limit exceeded: ${breach.source.written}`
}
