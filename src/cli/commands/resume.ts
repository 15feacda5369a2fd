import type { Command } from 'commander'
import { InvalidOptionError, isEnded, type LedgerStore, type ScopeReading, StintError } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import { parseLimits } from '../../policy/index.ts'
import type { CommandContext } from '../command-context.ts'
import { readExecDocument } from '../exec/exec-document.ts'
import { planAgain } from '../exec/exec-plan.ts'
import { holdSignals } from '../exec/held-signals.ts'
import { leftProcesses } from '../exec/left-processes.ts'
import { findScope } from '../ledger/find-scope.ts'
import { refuseOwnRun } from '../ledger/refuse-own-run.ts'
import { endAtLimit } from '../ledger/waiting-for.ts'
import { limitName } from '../output/amount-text.ts'
import type { Report } from '../output/report.ts'
import { type Addition, additionsTo, additionTexts, addToLimits } from './add-to-limits.ts'
import { resumeBelow } from './resume-below.ts'

const MOST_NAMED = 10

export interface ResumeFlags {
  readonly add?: readonly string[]
  readonly baseUrl?: string
  readonly background?: boolean
  readonly foreground?: boolean
}

/** `stint resume ID`. */
export async function resume(
  context: CommandContext,
  text: string,
  flags: ResumeFlags,
  command: Command,
): Promise<Report> {
  const { platform, by } = context
  const added = flags.add === undefined ? null : parseLimits(flags.add, { layer: 'call', flag: '--add' })
  const store = await context.store()
  const scope = await findScope(store, text, platform.nowMs())
  const { id, path, owner, kind } = scope
  await refuseOwnRun(context, store, scope)
  const isOwnerAlive = owner === null ? null : platform.isHolderAlive(owner)
  const isLeft = scope.isOrphaned || isOwnerAlive === false
  refuseUnlessPaused(scope, isLeft)
  await heedAnswer(context, store, scope)
  const isAgent = await isAgentToResume(context, id, isLeft)
  if (flags.background === true && flags.foreground === true) throw bothWays()
  if (!isAgent && (flags.background === true || flags.baseUrl !== undefined)) throw notAnAgent(scope, flags)
  const additions = added === null ? [] : additionsTo(context, scope, added)
  if (isAgent) return resumeAgent(context, scope, { ...flags, add: additionTexts(additions) }, command)
  if (isLeft) return startAgain(context, store, scope, additions)
  await addToLimits(context, store, scope, additions)
  const outcome = await store.resume({ scopeId: id, by, atMs: platform.nowMs() })
  if (outcome.kind === 'no-owner') throw nobodyRuns(scope)
  // What it was given more of may have let it go on by itself.
  const hasGoneOn = added !== null && outcome.kind === 'not-paused' && outcome.status === 'running'
  if (outcome.kind === 'not-paused' && !hasGoneOn) {
    throw new StintError('not_paused', `Somebody else has resumed "${path}" already: it is ${outcome.status}.`)
  }
  const isUnsure = kind !== 'lasting' && isOwnerAlive === null
  const below = await resumeBelow(context, store, scope, command)
  const notices = [
    ...(isUnsure ? [`Whether the process that runs it is alive cannot be seen from this machine: ${owner}`] : []),
    ...(added === null ? remainingCause(scope) : []),
    ...below.notices,
  ]
  const { resumed, left } = below
  return {
    json: { id, path, status: 'running', isOwnerAlive, pause: scope.pause, resumed, left },
    text: `Resumed ${printable(path)}.`,
    notices,
  }
}

/** Whether it is an agent that nobody runs: its process has died, or has ended with the pause. */
async function isAgentToResume(context: CommandContext, id: string, isLeft: boolean): Promise<boolean> {
  const { findTask } = await import('../run/find-task.ts')
  const task = findTask(context, id)
  return task?.canGoOn === true && (isLeft || task.record.status === 'paused')
}

async function resumeAgent(
  context: CommandContext,
  scope: ScopeReading,
  flags: ResumeFlags,
  command: Command,
): Promise<Report> {
  const { id, owner } = scope
  const { add = [] } = flags
  if (await goesOnInBackground(context, id, flags)) {
    // In the foreground the run says so itself.
    const cause = add.length === 0 ? remainingCause(scope, 'resume') : []
    for (const notice of cause) context.platform.writeError(`stint: ${notice}\n`)
    const { runInBackground } = await import('../run/run-in-background.ts')
    const { flagsAgain } = await import('../run/flags-again.ts')
    const again = flagsAgain(command, ['--background', '--json', '--add'])
    const args = ['resume', ...again, '--foreground', ...add.map((text) => `--add=${text}`), '--', id]
    // Whoever has it then, it goes on: it has another owner, or has ended.
    const hasBegun = (now: ScopeReading | null): boolean => now !== null && now.owner !== owner
    return runInBackground(context, { id, agent: scope.name, args, input: '', hasBegun })
  }
  const { resumeTask } = await import('../run/resume-task.ts')
  return resumeTask(context, id, { add, baseUrl: flags.baseUrl ?? null })
}

/** As it was begun, unless the caller says how. */
async function goesOnInBackground(context: CommandContext, id: string, flags: ResumeFlags): Promise<boolean> {
  if (flags.background === true || flags.foreground === true) return flags.background === true
  const { wasInBackground } = await import('../run/task-folder.ts')
  return wasInBackground(context.config(), id)
}

function bothWays(): InvalidOptionError {
  return new InvalidOptionError('--foreground', true, 'used without --background: the agent goes on in one place')
}

function notAnAgent({ path }: ScopeReading, { background }: ResumeFlags): InvalidOptionError {
  const flag = background === true ? '--background' : '--base-url'
  return new InvalidOptionError(flag, path, 'used with an agent that nobody runs any more; stint tasks lists them')
}

/** The command of `stint exec` can be started again from here; everything else by whoever wrote its program. */
async function startAgain(
  context: CommandContext,
  store: LedgerStore,
  scope: ScopeReading,
  additions: readonly Addition[],
): Promise<Report> {
  const { id, name } = scope
  const kept = await store.document({ scopeId: id })
  const document = kept === null ? null : readExecDocument(JSON.parse(kept))
  if (document === null) throw nobodyRuns(scope)
  refuseBeside(scope)
  await addToLimits(context, store, scope, additions)
  const cause = additions.length === 0 ? remainingCause(scope) : []
  for (const notice of cause) context.platform.writeError(`stint: ${notice}\n`)
  const signals = holdSignals(context.platform)
  const { runExec } = await import('../exec/run-exec.ts')
  return runExec(context, planAgain(document, name), signals, { scopeId: id, document })
}

/** One that was left behind by its process may go on, too. */
function refuseUnlessPaused({ path, status }: ScopeReading, isLeft: boolean): void {
  if (isEnded(status)) {
    const hint =
      status === 'limit-reached' ? ' A run that is to go on after a limit is started with --on-limit pause.' : ''
    throw new StintError('scope_closed', `"${path}" has ended (${status}) and cannot go on.${hint}`)
  }
  if (status !== 'paused' && !isLeft) throw new StintError('not_paused', `"${path}" is ${status}, not paused.`)
}

/** One that asked for more goes on after a yes, and ends after a no, also where its process did not live to hear it. */
async function heedAnswer({ platform }: CommandContext, store: LedgerStore, scope: ScopeReading): Promise<void> {
  const { path, pause } = scope
  if (pause === null || pause.requestId === null) return
  const { requestId } = pause
  const status = (await store.requests({ requestId }))[0]?.status ?? 'open'
  if (status === 'approved') return
  if (status === 'open') {
    const message = `"${path}" waits for an answer. Give one: stint approve ${requestId}, or: stint deny ${requestId}`
    throw new StintError('scope_paused', message)
  }
  await endAtLimit(store, scope, platform.nowMs)
  throw new StintError('scope_closed', `"${path}" asked for more, and the request was ${status}: it has ended.`)
}

/** Two copies of a command at work in one folder would destroy each other's work. */
function refuseBeside({ id, path }: ScopeReading): void {
  const pids = leftProcesses([id]).slice(0, MOST_NAMED)
  if (pids.length === 0) return
  const message = `The command of "${path}" still runs, though its stint is dead. End it first: kill ${pids.join(' ')}`
  throw new StintError('not_paused', message)
}

function nobodyRuns({ id, path }: ScopeReading): StintError {
  const message =
    `Nobody runs "${path}" any more: its process is dead. Start its program again with the same scope, ` +
    `e.g. governor.open({ id: ${JSON.stringify(id)}, … }): it takes the scope over, with what is spent and its limits.`
  return new StintError('scope_paused', message)
}

/** A limit that paused it, and that nobody raised, pauses it again. */
function remainingCause({ id, pause }: ScopeReading, how: 'raise' | 'resume' = 'raise'): readonly string[] {
  const breach = pause?.breaches?.find(({ scope }) => scope === id)
  if (breach === undefined) return []
  const amount = `${breach.source.written}=…${breach.per === null ? '' : `/${breach.per}`}`
  const remedy = how === 'raise' ? `stint raise ${id} --limit ${amount}` : `stint resume ${id} --add ${amount}`
  return [`It was paused by its limit ${limitName(breach)}. Unless that is raised it will pause again: ${remedy}`]
}
