import { InvalidOptionError, isLimitExceeded, isStintError, LimitExceededError } from '../../../core/index.ts'
import type { Scope } from '../../../governor/index.ts'
import { type AgentLoop, hasLoop, loopOf } from '../agent-loop.ts'
import { conversationFrom, documentFrom } from './conversation-document.ts'
import type { GovernedResult } from './governed-result.ts'
import type { ResumeOptions, RunOptions } from './resume-options.ts'
import { type AgentAnswer, type AnyAgent, type RunInput, runAgent } from './run-agent.ts'

type RunStatus = GovernedResult['status']
type End = { readonly answer: AgentAnswer } | { readonly error: unknown }

/**
 * Runs an agent that was built with `governed(scope, …)` and says what became of it, as data. A run that pauses has its
 * conversation saved beside the scope, and returns how to go on.
 */
export async function runGoverned(
  scope: Scope,
  agent: AnyAgent,
  input: RunInput,
  options: RunOptions = {},
): Promise<GovernedResult> {
  if (!hasLoop(scope)) {
    throw new InvalidOptionError(
      'runGoverned(scope, agent)',
      scope.path,
      'a scope that the agent was built with: governed(scope, …)',
    )
  }
  const loop = loopOf(scope)
  Object.assign(loop, { conversation: null, lastText: '', closingText: null, stoppedBy: null, isWorkEnded: false })
  const end = await runAgent(agent, input).then(
    (answer): End => ({ answer }),
    (error: unknown): End => ({ error }),
  )
  const status = statusOf(loop, end, input)
  if ('error' in end && isLimitExceeded(end.error)) loop.stoppedBy ??= [end.error.breach]
  if (status === 'paused') await saveConversation(loop, input)
  else if (options.close !== false) await scope.close(status)
  if (options.throws === true && status !== 'completed') throw errorOf(loop, end)
  return {
    status,
    output: status === 'completed' && 'answer' in end ? end.answer.output : null,
    partialOutput: status === 'completed' ? null : partialOutputOf(loop, end),
    breach: status === 'completed' ? null : (loop.stoppedBy?.[0] ?? null),
    usage: await scope.usage(),
    unsafeBoundary: loop.unsafeBoundary,
    error: status === 'failed' || status === 'stopped' ? (end as { readonly error?: unknown }).error : null,
    resume: status === 'paused' ? (resumed = {}) => resumeGoverned(scope, agent, { ...options, ...resumed }) : null,
  }
}

/**
 * Goes on with a run that was paused, here or in another process, with an agent built anew with `governed(scope, …)`.
 * Exactly one of all who try does: for the others it throws `NotPausedError`.
 */
export async function resumeGoverned(
  scope: Scope,
  agent: AnyAgent,
  { by, abortSignal, stream, ...options }: ResumeOptions = {},
): Promise<GovernedResult> {
  const document = await scope.resume(by === undefined ? {} : { by })
  const { messages, promptLine, hints } = conversationFrom(document)
  Object.assign(loopOf(scope), { promptLine, hints: new Map(hints) })
  const input = {
    messages,
    ...(abortSignal === undefined ? {} : { abortSignal }),
    ...(stream === undefined ? {} : { stream }),
  }
  return runGoverned(scope, agent, input, options)
}

function statusOf(loop: AgentLoop, end: End, input: RunInput): RunStatus {
  const { scope, closingText, isWorkEnded, stoppedBy } = loop
  if ('answer' in end && closingText === null && (isWorkEnded || stoppedBy === null)) return 'completed'
  const error = 'error' in end ? end.error : null
  if (isStintError(error, 'scope_paused')) return 'paused'
  const breach = isLimitExceeded(error) ? error.breach : stoppedBy?.[0]
  const isByLimit = 'answer' in end || isLimitExceeded(error) || closingText !== null
  if (isByLimit && breach?.action === 'pause') return 'paused'
  if (isByLimit) return breach?.meter === 'wallTime' ? 'timed-out' : 'limit-reached'
  const isCalledOff = typeof input !== 'string' && input.abortSignal?.aborted === true
  const isStopped = isCalledOff || scope.status() === 'stopped' || isStintError(error, 'scope_closed')
  return isStopped ? 'stopped' : 'failed'
}

/** The scope is paused already, or one above it is: this adds what its loop needs to go on. */
async function saveConversation(loop: AgentLoop, input: RunInput): Promise<void> {
  const messages = loop.conversation ?? messagesOf(input)
  const reason = loop.stoppedBy?.[0].message ?? 'paused by hand'
  await loop.scope.pause({ conversation: documentFrom(loop, messages), loopEnds: true, reason })
}

function messagesOf(input: RunInput): readonly unknown[] {
  const { prompt, messages } = typeof input === 'string' ? { prompt: input, messages: undefined } : input
  if (messages !== undefined) return messages
  return Array.isArray(prompt) ? prompt : [{ role: 'user', content: prompt }]
}

function partialOutputOf({ closingText, lastText }: AgentLoop, end: End): string | null {
  const text = closingText || ('answer' in end ? end.answer.text : '') || lastText
  return text === '' ? null : text
}

function errorOf({ stoppedBy }: AgentLoop, end: End): unknown {
  if ('error' in end) return end.error
  return stoppedBy === null ? new Error('The run did not complete.') : new LimitExceededError(stoppedBy)
}
