import type { Command } from 'commander'
import { isEnded, type ScopeReading, StintError } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import type { CommandContext } from '../command-context.ts'
import { findScope } from '../ledger/find-scope.ts'
import { limitName } from '../output/amount-text.ts'
import type { Report } from '../output/report.ts'
import type { RunCommand } from '../run-command.ts'
import { examples, SCOPE_ARGUMENT } from './help-text.ts'

/** `stint resume ID`: wakes the process that runs a paused scope. */
export function addResume(program: Command, run: RunCommand): void {
  program
    .command('resume')
    .description('let a paused scope go on, if somebody still runs it')
    .argument('<ID>', SCOPE_ARGUMENT)
    .addHelpText('after', examples('stint resume team:core/triage'))
    .action((id: string, _: unknown, command: Command) => run(command, (context) => resume(context, id)))
}

async function resume(context: CommandContext, text: string): Promise<Report> {
  const { platform, by } = context
  const store = await context.store()
  const scope = await findScope(store, text, platform.nowMs())
  const { id, path, owner, kind } = scope
  refuseUnlessPaused(scope)
  const isOwnerAlive = owner === null ? null : platform.isHolderAlive(owner)
  if (scope.isOrphaned || (owner !== null && isOwnerAlive === false)) throw nobodyRuns(scope)
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

function refuseUnlessPaused(scope: ScopeReading): void {
  const { path, status, pause, isOrphaned } = scope
  if (isEnded(status)) throw new StintError('scope_closed', `"${path}" has ended (${status}) and cannot go on.`)
  if (pause?.requestId) {
    const { requestId } = pause
    const message = `"${path}" waits for an answer. Give one: stint approve ${requestId}, or: stint deny ${requestId}`
    throw new StintError('scope_paused', message)
  }
  if (status !== 'paused' && !isOrphaned) throw new StintError('not_paused', `"${path}" is ${status}, not paused.`)
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
