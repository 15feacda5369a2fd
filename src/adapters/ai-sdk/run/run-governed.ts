import {
  assertKnownOptions,
  InvalidOptionError,
  isLimitExceeded,
  LimitExceededError,
  optionNames,
} from '../../../core/index.ts'
import { errorWords } from '../../../governor/edge.ts'
import { type Scope, ScopePausedError } from '../../../governor/index.ts'
import { type AgentLoop, hasLoop, runAsLoop } from '../agent-loop.ts'
import { refuseNearMiss } from '../refuse-near-miss.ts'
import { unwrapRetry } from '../unwrap-retry.ts'
import type { GovernedResult } from './governed-result.ts'
import { messagesOf } from './messages-of.ts'
import { openApprovals } from './open-approvals.ts'
import type { ResumeOptions, RunOptions } from './resume-options.ts'
import { type AnyAgent, type RunInput, runAgent } from './run-agent.ts'
import { type RunEnd, type RunStatus, runStatus } from './run-status.ts'
import { beginRun, claimRun, leaveRun, type RegisteredRun } from './scope-runs.ts'

const RUN_OPTIONS = optionNames<RunOptions>({ throws: true, close: true })
// All other options go to the agent.
const RESUME_NAMES = ['throws', 'close', 'by', 'run', 'messages', 'conversation', 'onClaimed', 'stream'] as const

/**
 * Runs an agent that was built with `governed(scope, …)` and returns the result as data. If the run pauses, its
 * conversation is saved with the scope, and the result says how to resume. Several runs may share one scope. On a scope
 * that was paused before, but not by a run of this process, it throws `ScopePausedError`: use `resumeGoverned`.
 */
export async function runGoverned(
  scope: Scope,
  agent: AnyAgent,
  input: RunInput,
  options: RunOptions = {},
): Promise<GovernedResult> {
  assertKnownOptions('runGoverned', options, RUN_OPTIONS)
  assertGoverned('runGoverned(scope, agent)', scope)
  return runRegistered(beginRun(scope, messagesOf(input)), agent, input, options)
}

/**
 * Resumes a run that was paused, here or in another process, with an agent newly built with `governed(scope, …)`.
 * Exactly one caller succeeds; others get a `NotPausedError`. A run that cannot continue stays paused.
 */
export async function resumeGoverned(
  scope: Scope,
  agent: AnyAgent,
  given: ResumeOptions = {},
): Promise<GovernedResult> {
  refuseNearMiss('resumeGoverned', given, RESUME_NAMES)
  const { by, run, messages: added = [], conversation, onClaimed, throws, close, ...settings } = given
  assertGoverned('resumeGoverned(scope, agent)', scope)
  const { registered, messages } = await claimRun(scope, {
    name: run,
    by,
    choose: conversation ?? null,
    check: (chosen) => assertAnswered([...chosen, ...added]),
  })
  registered.loop.given = [...messages, ...added]
  const changed = await onClaimed?.().catch(async (error: unknown): Promise<never> => {
    const reason = 'could not continue'
    await leaveRun(scope, registered, { status: 'paused', messages, reason, standsAlone: false, closes: false })
    throw error
  })
  const whole = [...(Array.isArray(changed) ? changed : messages), ...added]
  registered.loop.given = whole
  const options = { ...(throws === undefined ? {} : { throws }), ...(close === undefined ? {} : { close }) }
  return runRegistered(registered, agent, { ...settings, messages: whole }, options)
}

async function runRegistered(
  registered: RegisteredRun,
  agent: AnyAgent,
  input: RunInput,
  options: RunOptions,
): Promise<GovernedResult> {
  const { loop, name } = registered
  const { scope } = loop
  const end = await runAsLoop(loop, () => runAgent(agent, input)).then(
    (answer): RunEnd => ({ answer }),
    (error: unknown): RunEnd => ({ error: unwrapRetry(error) }),
  )
  const messages = conversationAfter(loop, end)
  const approvals = 'answer' in end ? openApprovals(messages) : []
  const status = runStatus(loop, end, input, approvals.length > 0)
  if ('error' in end && isLimitExceeded(end.error)) loop.stoppedBy ??= [end.error.breach]
  if (status === 'limit-reached' && loop.cutBy !== null) loop.stoppedBy ??= [loop.cutBy]
  const standsAlone = approvals.length > 0 && loop.stoppedBy === null && !loop.isHeldUp
  const reason = standsAlone ? approvalReason(approvals) : reasonOf(loop, status, end)
  await leaveRun(scope, registered, { status, messages, reason, standsAlone, closes: options.close !== false })
  if (options.throws === true && status !== 'completed') throw errorOf(loop, end)
  return {
    status,
    output: status === 'completed' && 'answer' in end ? end.answer.output : null,
    partialOutput: status === 'completed' ? null : partialOutputOf(loop, end),
    breach: status === 'completed' ? null : (loop.stoppedBy?.[0] ?? null),
    usage: await scope.usage(),
    messages,
    approvals: status === 'paused' ? approvals : [],
    mayBeHalfDone: loop.mayBeHalfDone,
    error: shownError(status, end),
    run: name,
    resume: status === 'paused' ? resumeOf(registered, agent, input, options) : null,
  }
}

function resumeOf({ name, loop }: RegisteredRun, agent: AnyAgent, input: RunInput, options: RunOptions) {
  const { prompt: _prompt, messages: _messages, ...settings } = typeof input === 'string' ? {} : { ...input }
  return (resumed: ResumeOptions = {}): Promise<GovernedResult> =>
    resumeGoverned(loop.scope, agent, { ...settings, ...options, ...resumed, run: name })
}

/** All messages; if the agent threw, those up to its current step. */
function conversationAfter({ conversation, given }: AgentLoop, end: RunEnd): readonly unknown[] {
  const added = 'answer' in end ? end.answer.messages : null
  return added === null ? (conversation ?? given) : [...given, ...added]
}

function approvalReason(approvals: readonly { readonly toolName: string }[]): string {
  return `waits for approval of ${approvals.map(({ toolName }) => toolName).join(', ')}`
}

function partialOutputOf({ closingText, lastText }: AgentLoop, end: RunEnd): string | null {
  const text = closingText || ('answer' in end ? end.answer.text : '') || lastText
  return text === '' ? null : text
}

function reasonOf({ stoppedBy }: AgentLoop, status: RunStatus, end: RunEnd): string {
  if (status === 'failed' && 'error' in end) return errorWords(end.error)
  return stoppedBy?.[0].message ?? (status === 'paused' ? 'paused by hand' : status)
}

/** A limit or a pause is not an error of the run; the failure of its closing call is. */
function shownError(status: RunStatus, end: RunEnd): unknown {
  if (!('error' in end) || status === 'paused') return null
  return isLimitExceeded(end.error) && status !== 'failed' ? (end.error.cause ?? null) : end.error
}

function errorOf({ scope, stoppedBy }: AgentLoop, end: RunEnd): unknown {
  if ('error' in end) return end.error
  return stoppedBy === null ? new ScopePausedError(scope.id) : new LimitExceededError(stoppedBy)
}

function assertGoverned(call: string, scope: Scope): void {
  if (hasLoop(scope)) return
  throw new InvalidOptionError(call, scope.path, 'a scope that the agent was built with: governed(scope, …)')
}

/** A run cannot continue with an open approval: providers refuse a tool call without a result. */
function assertAnswered(messages: readonly unknown[]): void {
  const open = openApprovals(messages)
  if (open.length === 0) return
  const { approvalId, toolName } = open[0]!
  const form = `a message with { type: 'tool-approval-response', approvalId: "${approvalId}", approved: true | false } for "${toolName}"`
  throw new InvalidOptionError('resumeGoverned({ messages })', undefined, form)
}
