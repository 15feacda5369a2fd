import { isStintError, type ScopeReading } from '../../core/index.ts'
import { type UnseenHolder, unseenHolders } from '../assumed/unseen-holders.ts'
import { countText } from '../count-text.ts'
import { MOST_SCOPES } from '../find/find-scope.ts'
import type { Operator } from '../operator.ts'
import { isOwnerAlive } from '../scopes/scope-details.ts'
import { type Finding, fine, notice, problem } from './finding.ts'

const MOST_NAMED = 5
const MOST_COUNTED = 1000

/** The findings about a ledger's scopes, and the runs whose process is dead. */
export interface CheckedScopes {
  readonly findings: readonly Finding[]
  readonly orphans: readonly ScopeReading[]
}

/** Checks which processes hold what, and which runs wait for someone. */
export async function checkScopes(operator: Operator): Promise<CheckedScopes> {
  const { store, nowMs } = operator
  const scopes = await store.list({ standing: 'open', most: MOST_SCOPES, atMs: nowMs() })
  const orphans = scopes.filter((scope) => isOwnerAlive(operator, scope) === false)
  const findings = [
    fine('scopes', `${scopes.length} open`),
    ...(await checkHolders(operator)),
    ...checkOwners(orphans.filter(({ status }) => status !== 'paused')),
    ...checkPaused(scopes),
    ...(await checkAssumed(operator)),
    ...(await checkRequests(operator)),
  ]
  return { findings, orphans }
}

/** A ledger's own error, as a finding. */
export function ledgerProblem(error: unknown): Finding {
  if (!isStintError(error)) throw error
  return problem('ledger', error.message, `docs/reference/errors.md explains ${error.code}.`)
}

async function checkHolders(operator: Operator): Promise<readonly Finding[]> {
  const lives = (await operator.store.holders()).map(({ holder, diedAtMs }) => {
    return diedAtMs === null ? operator.isHolderAlive(holder) : false
  })
  const unseen = await unseenHolders(operator)
  const silent = unseen.filter(({ isBeating }) => !isBeating)
  const alive = lives.filter((life) => life === true).length + unseen.length - silent.length
  const dead = lives.filter((life) => life === false).length
  const detail = `${alive} alive, ${dead} dead, ${silent.length} unknown`
  const known = fine('processes', detail)
  return silent.length === 0 ? [known] : [known, silentHolders(silent)]
}

/** Their reservations stay until they are heard from again or declared dead. */
function silentHolders(silent: readonly UnseenHolder[]): Finding {
  const named = silent.slice(0, MOST_NAMED).map(({ holder, reservations, scopes }) => {
    return `${holder} (${countText(reservations, 'reservation')}, ${countText(scopes.length, 'run')})`
  })
  const more = silent.length > named.length ? ` and ${silent.length - named.length} more` : ''
  const detail = `no heartbeat for a minute, and not visible from here: ${named.join(', ')}${more}`
  return notice('silent', detail, 'If you know that one is gone: stint assumed declare-dead HOLDER --reason "…"')
}

const REMEDY =
  'Resume an agent or a command of `stint exec`: stint resume ID. ' +
  'Start any other program again with the same scope id, or end it: stint stop ID'

function checkOwners(orphans: readonly ScopeReading[]): readonly Finding[] {
  if (orphans.length === 0) return []
  const detail = `${countText(orphans.length, 'run')} without a process: ${namedRuns(orphans)}`
  return [problem('owners', detail, REMEDY)]
}

/** A paused run is healthy (most processes end when they pause), but someone has to decide what happens next. */
function checkPaused(scopes: readonly ScopeReading[]): readonly Finding[] {
  const paused = scopes.filter(({ status }) => status === 'paused')
  if (paused.length === 0) return []
  return [notice('paused', namedRuns(paused), 'Resume it: stint resume ID. Or end it: stint stop ID')]
}

function namedRuns(scopes: readonly ScopeReading[]): string {
  const named = scopes.slice(0, MOST_NAMED).map(({ path, id }) => `${path} (${id})`)
  const more = scopes.length > named.length ? ` and ${scopes.length - named.length} more` : ''
  return `${named.join(', ')}${more}`
}

/** What is assumed, and what will be once a command charges it: the calls that dead processes had in flight. */
async function checkAssumed({ store, isHolderAlive }: Operator): Promise<readonly Finding[]> {
  const { length: assumed } = await store.reservations({ state: 'assumed', most: MOST_COUNTED })
  let left = 0
  for (const { holder, diedAtMs } of await store.holders()) {
    if (diedAtMs !== null || isHolderAlive(holder) !== false) continue
    left += (await store.reservations({ state: 'open', holder, most: MOST_COUNTED })).length
  }
  if (assumed + left === 0) return [fine('assumed', 'nothing')]
  const parts = [
    ...(assumed === 0 ? [] : [`${countText(assumed, 'reservation')} charged at an assumed cost`]),
    ...(left === 0 ? [] : [`${countText(left, 'reservation')} of dead processes, to be charged in full`]),
  ]
  return [notice('assumed', parts.join(', '), 'To see and correct them: stint assumed list')]
}

async function checkRequests({ store, nowMs }: Operator): Promise<readonly Finding[]> {
  const open = await store.requests({ status: 'open', most: 1000 })
  if (open.length === 0) return [fine('requests', 'none is waiting for an answer')]
  const late = open.filter(({ expiresAtMs }) => expiresAtMs <= nowMs()).length
  const detail = `${open.length} open${late === 0 ? '' : `, ${late} of them expired`}`
  return [notice('requests', detail, 'Answer them: stint requests')]
}
