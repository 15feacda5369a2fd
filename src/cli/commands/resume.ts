import type { Command } from 'commander'
import { isEnded, type LedgerStore, type ScopeReading, StintError } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import type { CommandContext } from '../command-context.ts'
import { readExecDocument } from '../exec/exec-document.ts'
import { planAgain } from '../exec/exec-plan.ts'
import { leftProcesses } from '../exec/left-processes.ts'
import { findScope } from '../ledger/find-scope.ts'
import { limitName } from '../output/amount-text.ts'
import type { Report } from '../output/report.ts'
import type { RunCommand } from '../run-command.ts'
import { examples, SCOPE_ARGUMENT } from './help-text.ts'

const MOST_NAMED = 10

/** `stint resume ID`: wakes the process that runs a paused scope, or starts the command of `stint exec` again. */
export function addResume(program: Command, run: RunCommand): void {
  program
    .command('resume')
    .description('let a paused scope go on; a command of `stint exec` that has ended is started again in it')
    .argument('<ID>', SCOPE_ARGUMENT)
    .addHelpText('after', examples('stint resume team:core/triage'))
    .action((id: string, _: unknown, command: Command) => run(command, (context) => resume(context, id)))
}

async function resume(context: CommandContext, text: string): Promise<Report> {
  const { platform, by } = context
  const store = await context.store()
  const scope = await findScope(store, text, platform.nowMs())
  const { id, path, owner, kind } = scope
  const isOwnerAlive = owner === null ? null : platform.isHolderAlive(owner)
  const isLeft = scope.isOrphaned || isOwnerAlive === false
  refuseUnlessPaused(scope, isLeft)
  if (isLeft) return startAgain(context, store, scope)
  const outcome = await store.resume({ scopeId: id, by, atMs: platform.nowMs() })
  if (outcome.kind === 'no-owner') throw nobodyRuns(scope)
  if (outcome.kind === 'not-paused') {
    throw new StintError('not_paused', `Somebody else has resumed "${path}" already: it is ${outcome.status}.`)
  }
  const isUnsure = kind !== 'lasting' && isOwnerAlive === null
  const notices = [
    ...(isUnsure ? [`Whether the process that runs it is alive cannot be seen from this machine: ${owner}`] : []),
    ...remainingCause(scope),
  ]
  return {
    json: { id, path, status: 'running', isOwnerAlive, pause: scope.pause },
    text: `Resumed ${printable(path)}.`,
    notices,
  }
}

/** The command of `stint exec` can be started again from here; everything else by whoever wrote its program. */
async function startAgain(context: CommandContext, store: LedgerStore, scope: ScopeReading): Promise<Report> {
  const { id, name } = scope
  const kept = await store.document({ scopeId: id })
  const document = kept === null ? null : readExecDocument(JSON.parse(kept))
  if (document === null) throw nobodyRuns(scope)
  refuseBeside(scope)
  for (const notice of remainingCause(scope)) context.platform.writeError(`stint: ${notice}\n`)
  const { runExec } = await import('../exec/run-exec.ts')
  return runExec(context, planAgain(document, name), { scopeId: id, document })
}

/** One that was left behind by its process may go on, too. */
function refuseUnlessPaused({ path, status, pause }: ScopeReading, isLeft: boolean): void {
  if (isEnded(status)) throw new StintError('scope_closed', `"${path}" has ended (${status}) and cannot go on.`)
  if (pause?.requestId) {
    const { requestId } = pause
    const message = `"${path}" waits for an answer. Give one: stint approve ${requestId}, or: stint deny ${requestId}`
    throw new StintError('scope_paused', message)
  }
  if (status !== 'paused' && !isLeft) throw new StintError('not_paused', `"${path}" is ${status}, not paused.`)
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
function remainingCause({ id, pause }: ScopeReading): readonly string[] {
  const breach = pause?.breaches?.find(({ scope }) => scope === id)
  if (breach === undefined) return []
  return [
    `It was paused by its limit ${limitName(breach)}. Unless that is raised it will pause again: ` +
      `stint raise ${id} --limit ${breach.meter}=…${breach.per === null ? '' : `/${breach.per}`}`,
  ]
}
