import { isEnded, isStintError, type LedgerStore, type ScopeReading } from '../../core/index.ts'
import type { CommandContext } from '../command-context.ts'
import { MOST_SCOPES } from '../ledger/find-scope.ts'
import { type UnseenHolder, unseenHolders } from '../ledger/unseen-holders.ts'
import { countText } from '../output/count-text.ts'
import type { Platform } from '../platform.ts'
import { checkLeftCommands } from './check-left-commands.ts'
import { type Finding, fine, notice, problem } from './finding.ts'

const MOST_NAMED = 5
const MOST_COUNTED = 1000

/** Who holds what, and what nobody runs or answers any more. */
export async function checkScopes(context: CommandContext): Promise<readonly Finding[]> {
  const { platform } = context
  try {
    const store = await context.store()
    const scopes = await store.list({ standing: 'open', most: MOST_SCOPES, atMs: platform.nowMs() })
    const orphans = orphansAmong(scopes, platform)
    return [
      fine('scopes', `${scopes.length} open`),
      ...(await checkHolders(store, platform)),
      ...checkOwners(orphans.filter(({ status }) => status !== 'paused')),
      ...checkPaused(scopes),
      ...checkLeftCommands(orphans),
      ...(await checkAssumed(store, platform)),
      ...(await checkRequests(store, platform.nowMs())),
    ]
  } catch (error) {
    if (!isStintError(error)) throw error
    return [problem('ledger', error.message, `docs/reference/errors.md explains ${error.code}.`)]
  }
}

async function checkHolders(store: LedgerStore, platform: Platform): Promise<readonly Finding[]> {
  const lives = (await store.holders()).map(({ holder, diedAtMs }) => {
    return diedAtMs === null ? platform.isHolderAlive(holder) : false
  })
  const unseen = await unseenHolders(store, platform)
  const silent = unseen.filter(({ isBeating }) => !isBeating)
  const alive = lives.filter((life) => life === true).length + unseen.length - silent.length
  const dead = lives.filter((life) => life === false).length
  const detail = `${alive} alive, ${dead} dead, ${silent.length} unknown`
  const known = fine('processes', detail)
  return silent.length === 0 ? [known] : [known, silentHolders(silent)]
}

/** What they reserved stays reserved until they are heard of, or somebody knows that they are gone. */
function silentHolders(silent: readonly UnseenHolder[]): Finding {
  const named = silent.slice(0, MOST_NAMED).map(({ holder, reservations, scopes }) => {
    return `${holder} (${countText(reservations, 'reservation')}, ${countText(scopes.length, 'run')})`
  })
  const more = silent.length > named.length ? ` and ${silent.length - named.length} more` : ''
  const detail = `no heartbeat for a minute, and not to be seen from here: ${named.join(', ')}${more}`
  return notice('silent', detail, 'If you know that one is gone: stint assumed declare-dead HOLDER --reason "…"')
}

/** A scope that is open though its owner is dead waits for somebody to take it over, or to stop it. */
function orphansAmong(scopes: readonly ScopeReading[], platform: Platform): readonly ScopeReading[] {
  return scopes.filter(({ owner, isOrphaned, status }) => {
    return !isEnded(status) && owner !== null && (isOrphaned || platform.isHolderAlive(owner) === false)
  })
}

const REMEDY =
  'Go on with an agent, or a command of `stint exec`: stint resume ID. ' +
  'Start any other program again with the same scope id, or end it: stint stop ID'

function checkOwners(orphans: readonly ScopeReading[]): readonly Finding[] {
  if (orphans.length === 0) return []
  const detail = `${countText(orphans.length, 'run')} without a process: ${namedRuns(orphans)}`
  return [problem('owners', detail, REMEDY)]
}

/** That a run stands is nothing wrong: most have ended their process with it. But somebody has to say what is next. */
function checkPaused(scopes: readonly ScopeReading[]): readonly Finding[] {
  const paused = scopes.filter(({ status }) => status === 'paused')
  if (paused.length === 0) return []
  return [notice('paused', namedRuns(paused), 'Let it go on: stint resume ID. Or end it: stint stop ID')]
}

function namedRuns(scopes: readonly ScopeReading[]): string {
  const named = scopes.slice(0, MOST_NAMED).map(({ path, id }) => `${path} (${id})`)
  const more = scopes.length > named.length ? ` and ${scopes.length - named.length} more` : ''
  return `${named.join(', ')}${more}`
}

/** What is assumed, and what will be as soon as a command charges it: of processes that died with calls in flight. */
async function checkAssumed(store: LedgerStore, platform: Platform): Promise<readonly Finding[]> {
  const { length: assumed } = await store.reservations({ state: 'assumed', most: MOST_COUNTED })
  let left = 0
  for (const { holder, diedAtMs } of await store.holders()) {
    if (diedAtMs !== null || platform.isHolderAlive(holder) !== false) continue
    left += (await store.reservations({ state: 'open', holder, most: MOST_COUNTED })).length
  }
  if (assumed + left === 0) return [fine('assumed', 'nothing')]
  const parts = [
    ...(assumed === 0 ? [] : [`${countText(assumed, 'reservation')} charged as far as that must be assumed`]),
    ...(left === 0 ? [] : [`${countText(left, 'reservation')} of dead processes to be charged in full`]),
  ]
  return [notice('assumed', parts.join(', '), 'To see them, and correct what you know better: stint assumed list')]
}

async function checkRequests(store: LedgerStore, nowMs: number): Promise<readonly Finding[]> {
  const open = await store.requests({ status: 'open', most: 1000 })
  if (open.length === 0) return [fine('requests', 'nobody waits for an answer')]
  const late = open.filter(({ expiresAtMs }) => expiresAtMs <= nowMs).length
  const detail = `${open.length} open${late === 0 ? '' : `, ${late} of them past their time`}`
  return [notice('requests', detail, 'Answer them: stint requests')]
}
