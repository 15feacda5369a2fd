import { RetryError } from 'ai'
import { isLimitExceeded, isStintError } from '../../../core/index.ts'
import { isLeftOpen } from '../../../governor/edge.ts'
import type { AgentLoop } from '../agent-loop.ts'
import type { GovernedResult } from './governed-result.ts'
import type { AgentAnswer, RunInput } from './run-agent.ts'

export type RunStatus = GovernedResult['status']

/** How an agent ended: with an answer, or with an error. */
export type RunEnd = { readonly answer: AgentAnswer } | { readonly error: unknown }

/** The status of a run. If a limit ended it, that is the cause, however its closing call went. */
export function runStatus(loop: AgentLoop, end: RunEnd, input: RunInput, isAwaitingApproval: boolean): RunStatus {
  const { closingText, cutBy, isHeldUp, isWorkEnded, scope, stoppedBy } = loop
  const error = 'error' in end ? end.error : null
  if ('answer' in end && closingText === null) {
    if (isWorkEnded) return 'completed'
    if (stoppedBy === null && (isAwaitingApproval || isHeldUp)) return 'paused'
    if (stoppedBy === null) return cutBy === null ? 'completed' : 'limit-reached'
  }
  if (isStintError(error, 'scope_paused')) return 'paused'
  // Paused because of this very failure: resuming it deals with what is left open.
  const failure = RetryError.isInstance(error) ? error.lastError : error
  if (scope.status() === 'paused' && isLeftOpen(failure)) return 'paused'
  // The provider had refused it too often.
  if (scope.status() === 'failed') return 'failed'
  const isCalledOff = typeof input !== 'string' && input.abortSignal?.aborted === true
  const isStopped = isCalledOff || scope.status() === 'stopped' || isStintError(error, 'scope_closed')
  // The first cause decides: a cancellation after a limit has ended the run comes too late.
  const isFirst = stoppedBy === null || stoppedBy[0].action === 'pause'
  if (isStopped && isFirst && 'error' in end && !isLimitExceeded(error)) return 'stopped'
  const breach = isLimitExceeded(error) ? error.breach : stoppedBy?.[0]
  // An agent's failure on a truncated answer is not its own.
  if (breach === undefined) return cutBy === null ? 'failed' : 'limit-reached'
  // Any other error came after the tools of the step: continuing would run them again.
  if (breach.action === 'pause') return error === null || isLimitExceeded(error) ? 'paused' : 'failed'
  return breach.meter === 'wallTime' ? 'timed-out' : 'limit-reached'
}
