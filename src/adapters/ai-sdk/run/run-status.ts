import { RetryError } from 'ai'
import { isLimitExceeded, isStintError } from '../../../core/index.ts'
import { isLeftOpen } from '../../../governor/edge.ts'
import type { AgentLoop } from '../agent-loop.ts'
import type { GovernedResult } from './governed-result.ts'
import type { AgentAnswer, RunInput } from './run-agent.ts'

export type RunStatus = GovernedResult['status']

/** How an agent came back: with an answer, or with what it threw. */
export type RunEnd = { readonly answer: AgentAnswer } | { readonly error: unknown }

/** What became of a run. A limit that ended it is why, whatever became of its closing call. */
export function runStatus(loop: AgentLoop, end: RunEnd, input: RunInput, isAwaitingApproval: boolean): RunStatus {
  const { closingText, cutBy, isHeldUp, isWorkEnded, scope, stoppedBy } = loop
  const error = 'error' in end ? end.error : null
  if ('answer' in end && closingText === null) {
    if (isWorkEnded) return 'completed'
    if (stoppedBy === null && (isAwaitingApproval || isHeldUp)) return 'paused'
    if (stoppedBy === null) return cutBy === null ? 'completed' : 'limit-reached'
  }
  if (isStintError(error, 'scope_paused')) return 'paused'
  // Paused because of this very failure: what it left open is for whoever resumes it.
  const failure = RetryError.isInstance(error) ? error.lastError : error
  if (scope.status() === 'paused' && isLeftOpen(failure)) return 'paused'
  // The provider had refused it too often.
  if (scope.status() === 'failed') return 'failed'
  const isCalledOff = typeof input !== 'string' && input.abortSignal?.aborted === true
  const isStopped = isCalledOff || scope.status() === 'stopped' || isStintError(error, 'scope_closed')
  // The first cause is why: whoever calls off a run that a limit has ended comes too late.
  const isFirst = stoppedBy === null || stoppedBy[0].action === 'pause'
  if (isStopped && isFirst && 'error' in end && !isLimitExceeded(error)) return 'stopped'
  const breach = isLimitExceeded(error) ? error.breach : stoppedBy?.[0]
  // What an agent makes of half an answer is not its own failure.
  if (breach === undefined) return cutBy === null ? 'failed' : 'limit-reached'
  // Whatever else was thrown came after the tools of the step: to go on would run them again.
  if (breach.action === 'pause') return error === null || isLimitExceeded(error) ? 'paused' : 'failed'
  return breach.meter === 'wallTime' ? 'timed-out' : 'limit-reached'
}
