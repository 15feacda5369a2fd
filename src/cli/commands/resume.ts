import type { Command } from 'commander'
import { printable } from '../../core/checks/printable.ts'
import { balanceKey, InvalidOptionError, type ScopeReading, StintError } from '../../core/index.ts'
import { findScope } from '../../operate/find/find-scope.ts'
import { type Addition, additionsTo, additionTexts, addToLimits } from '../../operate/limits/add-to-limits.ts'
import type { Operator } from '../../operate/operator.ts'
import { assertResumable, noProcess, resumeScope } from '../../operate/scopes/resume-scope.ts'
import { isOwnerAlive } from '../../operate/scopes/scope-details.ts'
import { findTask } from '../../operate/tasks/find-task.ts'
import { tasksFolder, wasInBackground } from '../../operate/tasks/task-folder.ts'
import { limitName } from '../../operate/views/limit-standing.ts'
import { parseLimits } from '../../policy/index.ts'
import type { CommandContext } from '../command-context.ts'
import { readExecDocument } from '../exec/exec-document.ts'
import { planAgain } from '../exec/exec-plan.ts'
import { holdSignals } from '../exec/held-signals.ts'
import { leftProcesses } from '../exec/left-processes.ts'
import { refuseOwnRun } from '../ledger/refuse-own-run.ts'
import type { Report } from '../output/report.ts'
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
  const added = flags.add === undefined ? null : parseLimits(flags.add, { layer: 'call', flag: '--add' })
  const operator = await context.operator()
  const scope = await findScope(operator, text)
  await refuseOwnRun(context, operator.store, scope)
  await assertResumable(operator, scope)
  const isLeft = isOwnerAlive(operator, scope) === false
  // An agent whose process died, or ended with the pause.
  const task = findTask(tasksFolder(context.config()), scope.id)
  const isAgent = task?.canGoOn === true && (isLeft || task.record.status === 'paused')
  refuseFlags(scope, flags, isAgent)
  const { ceilings } = context.config()
  const { additions, cuts } =
    added === null ? { additions: [], cuts: [] } : additionsTo(scope, added, { ceilings, place: '--add' })
  for (const cut of cuts) context.platform.writeError(`stint: ${cut}\n`)
  if (isAgent) return resumeAgent(context, scope, { ...flags, add: additionTexts(additions) }, command)
  if (isLeft) return startAgain(context, operator, scope, additions)
  await addToLimits(operator, scope, additions)
  const resumed = await resumeScope(operator, scope, { hasMore: added !== null })
  const isUnsure = scope.kind !== 'lasting' && resumed.isOwnerAlive === null
  const { notices, ...below } = await resumeBelow(context, operator, scope, command)
  return {
    json: { ...resumed, ...below },
    text: `Resumed ${printable(scope.path)}.`,
    notices: [
      ...(isUnsure ? [`Cannot see from here whether its process is alive: ${scope.owner}`] : []),
      ...(added === null ? remainingCause(scope) : []),
      ...notices,
    ],
  }
}

function refuseFlags({ path }: ScopeReading, flags: ResumeFlags, isAgent: boolean): void {
  const { background = false, foreground = false, baseUrl } = flags
  if (background && foreground) {
    throw new InvalidOptionError('--foreground', true, 'used without --background: an agent continues in one place')
  }
  if (isAgent || (!background && baseUrl === undefined)) return
  const form = 'used with an agent that no process is running; stint tasks lists them'
  throw new InvalidOptionError(background ? '--background' : '--base-url', path, form)
}

async function resumeAgent(
  context: CommandContext,
  scope: ScopeReading,
  flags: ResumeFlags,
  command: Command,
): Promise<Report> {
  const { id, owner } = scope
  const { add = [], background = false, foreground = false, baseUrl = null } = flags
  // As it was started, unless the flags say otherwise.
  if (background || (!foreground && wasInBackground(tasksFolder(context.config()), id))) {
    // In the foreground the run reports this itself.
    const cause = add.length === 0 ? remainingCause(scope, 'resume') : []
    for (const notice of cause) context.platform.writeError(`stint: ${notice}\n`)
    const { runInBackground } = await import('../run/run-in-background.ts')
    const { flagsAgain } = await import('../flags/flags-again.ts')
    const again = flagsAgain(command, ['--background', '--json', '--add'])
    const args = ['resume', ...again, '--foreground', ...add.map((text) => `--add=${text}`), '--', id]
    // It has continued, in whichever process: it has another owner, or has ended.
    const hasBegun = (now: ScopeReading | null): boolean => now !== null && now.owner !== owner
    return runInBackground(context, { id, agent: scope.name, args, input: '', hasBegun })
  }
  const { resumeTask } = await import('../run/resume-task.ts')
  return resumeTask(context, id, { add, baseUrl })
}

/** The command of `stint exec` can be restarted from here; any other program only by its user. */
async function startAgain(
  context: CommandContext,
  operator: Operator,
  scope: ScopeReading,
  additions: readonly Addition[],
): Promise<Report> {
  const { id, name } = scope
  const kept = await operator.store.document({ scopeId: id })
  const document = kept === null ? null : readExecDocument(JSON.parse(kept))
  if (document === null) throw noProcess(scope)
  refuseBeside(scope)
  await addToLimits(operator, scope, additions)
  const cause = additions.length === 0 ? remainingCause(scope) : []
  for (const notice of cause) context.platform.writeError(`stint: ${notice}\n`)
  const signals = holdSignals(context.platform)
  const { runExec } = await import('../exec/run-exec.ts')
  return runExec(context, planAgain(document, name), signals, { scopeId: id, document })
}

/** Two copies of a command in one folder would destroy each other's work. */
function refuseBeside({ id, path }: ScopeReading): void {
  const pids = leftProcesses([id]).slice(0, MOST_NAMED)
  if (pids.length === 0) return
  const message = `The command of "${path}" is still running, although its stint is dead. End it first: kill ${pids.join(' ')}`
  throw new StintError('not_paused', message)
}

/** A limit that paused it, and was not raised since, will pause it again. One that asks was answered. */
function remainingCause({ id, pause, limits }: ScopeReading, how: 'raise' | 'resume' = 'raise'): readonly string[] {
  const breach = pause?.breaches?.find(({ scope, action, key, limit }) => {
    const isInForce = limits.some(({ limit: now }) => balanceKey(id, now) === key && now.max <= limit)
    return scope === id && action === 'pause' && isInForce
  })
  if (breach === undefined) return []
  const amount = `${breach.source.written}=…${breach.per === null ? '' : `/${breach.per}`}`
  const remedy = how === 'raise' ? `stint raise ${id} --limit ${amount}` : `stint resume ${id} --add ${amount}`
  return [`It was paused by its limit ${limitName(breach)}, and will pause again unless that is raised: ${remedy}`]
}
