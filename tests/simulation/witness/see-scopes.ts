import type { NewScope } from '../../../src/core/index.ts'
import { demand } from '../world/violation.ts'
import type { Seen } from './apply-operation.ts'
import { foresee } from './compare-history.ts'
import { SPAWNS, vectorFrom } from './meters.ts'
import type { WitnessLimit, WitnessScope } from './records.ts'
import { charge } from './see-settle.ts'
import { count, createTally, tallyOf } from './tallies.ts'
import type { Books } from './witness.ts'
import { lowestCeilings, underCeilings, witnessLimits, writtenLimits } from './witness-limits.ts'

/** All that were asked for are open afterwards, or none of them is. */
export function seeOpen(books: Books, { request, outcome }: Seen<'open'>): void {
  const { parentId, scopes, atMs } = request
  if (outcome.kind !== 'opened') return
  const parent = parentId === null ? null : books.scopes.get(parentId)!
  for (const { id } of scopes) {
    const known = books.scopes.get(id)
    const isOpen = outcome.created.includes(id) || (known !== undefined && known.status !== 'ended')
    demand(isOpen, 'path all or none', () => `${id} was not opened with its group`)
  }
  for (const spec of scopes.filter(({ id }) => outcome.created.includes(id))) addScope(books, parent, spec, atMs)
  for (const { id, owner } of scopes.filter((each) => outcome.adopted.includes(each.id))) {
    adopt(books.scopes.get(id)!, owner)
  }
  for (const { id, hold } of scopes) if (hold !== undefined) books.scopes.get(id)!.mayHold = true
  if (parent !== null && outcome.created.length + outcome.adopted.length > 0)
    demandAdmitted(parent, scopes, outcome.created.length, atMs)
  for (const { id } of scopes) books.touch(id, atMs)
}

function addScope(books: Books, parent: WitnessScope | null, spec: NewScope, atMs: number): void {
  demand(!books.scopes.has(spec.id), 'open once', () => `${spec.id} was opened before`)
  const path: WitnessScope[] = parent === null ? [] : [...parent.path]
  const scope: WitnessScope = {
    id: spec.id,
    name: spec.name,
    parent,
    path,
    children: [],
    kind: spec.kind,
    owner: spec.owner,
    isOrphaned: false,
    status: 'running',
    isAsking: false,
    document: null,
    limits: [],
    ceilings: lowestCeilings(writtenLimits([...(spec.ceilings ?? []), ...spec.limits])),
    revision: 1,
    life: createTally(),
    windows: new Map(),
    periods: new Set(spec.limits.flatMap(({ per }) => per ?? [])),
    hasPlace: false,
    openChildren: 0,
    resumes: 0,
    mayHold: false,
  }
  path.push(scope)
  scope.limits = witnessLimits(scope, underCeilings(scope.ceilings, writtenLimits(spec.limits)))
  books.scopes.set(scope.id, scope)
  foresee(books, 'scope_opened', scope.id)
  if (parent === null) return
  parent.children.push(scope)
  takePlace(scope)
  count(parent.path, 'settled', vectorFrom({ spawns: 1 }), atMs)
}

function demandAdmitted(parent: WitnessScope, scopes: readonly NewScope[], created: number, atMs: number): void {
  const level = levelOf(parent) + (scopes.some(({ kind }) => kind === 'agent') ? 1 : 0)
  for (const scope of parent.path) {
    demand(scope.status === 'running' || (scope.status === 'paused' && scope.isAsking), 'admission', () => {
      return `a child was opened below ${scope.id}, which is ${scope.status}`
    })
    for (const limit of scope.limits)
      if (limit.action !== 'warn') demandRoom(scope, limit, { parent, level, created, atMs })
  }
}

function demandRoom(
  scope: WitnessScope,
  { meter, max, per }: WitnessLimit,
  spawn: { readonly parent: WitnessScope; readonly level: number; readonly created: number; readonly atMs: number },
): void {
  const { parent, level, created, atMs } = spawn
  const below = level - Math.max(levelOf(scope), 0)
  const settled = tallyOf(scope, { per }, atMs).settled[SPAWNS]!
  const isOver =
    (meter === 'depth' && created > 0 && below > max) ||
    (meter === 'concurrency' && scope === parent && scope.openChildren > max) ||
    (meter === 'spawns' && created > 0 && settled > max)
  demand(!isOver, 'admission', () => `a child was opened below ${parent.id} beyond ${meter} ${max} of ${scope.id}`)
}

/** How many agents are above the scope; below 0 for a budget that is no agent's. */
function levelOf(scope: WitnessScope): number {
  return scope.path.filter(({ kind }) => kind === 'agent').length - 1
}

/** Somebody runs it from now on. */
export function adopt(scope: WitnessScope, owner: string | null): void {
  demand(scope.isOrphaned, 'adopted once', () => `${scope.id} was adopted, but nobody had left it behind`)
  scope.owner = owner
  scope.isOrphaned = false
  takePlace(scope)
}

export function takePlace(scope: WitnessScope): void {
  if (scope.hasPlace || scope.parent === null) return
  scope.hasPlace = true
  scope.parent.openChildren++
}

export function freePlace(scope: WitnessScope): void {
  if (!scope.hasPlace || scope.parent === null) return
  scope.hasPlace = false
  scope.parent.openChildren--
}

export function seeClose(books: Books, { request, outcome }: Seen<'close'>): void {
  const scope = books.scopes.get(request.scopeId)!
  const wasEnded = scope.status === 'ended'
  demand(wasEnded === (outcome.kind === 'duplicate'), 'ended once', () => `${scope.id} was ended: ${outcome.kind}`)
  if (!wasEnded) foresee(books, 'scope_closed', scope.id)
  scope.status = 'ended'
  freePlace(scope)
  for (const [key, { scopeId }] of books.openRequests) if (scopeId === scope.id) books.openRequests.delete(key)
  books.touch(scope.id, request.atMs)
}

/** Exactly what the dead holder had open is charged, in full, and exactly what it owned is left behind. */
export function seeAssume(books: Books, { request, outcome }: Seen<'assume'>): void {
  const { holder, atMs } = request
  const assumed = new Set(outcome.reservations.map(({ reservationId }) => reservationId))
  for (const each of books.reservations.values()) {
    const isDue = each.holder === holder && each.state === 'open'
    demand(isDue === assumed.has(each.id), 'assumed once', () => {
      return `${each.id} of ${each.holder} was ${each.state} and ${isDue ? 'was not' : 'was'} assumed`
    })
    if (!isDue) continue
    charge(each, each.amounts, 'assumed')
    foresee(books, 'reservation_assumed', each.id)
    books.touch(each.scope.id, atMs)
  }
  for (const scope of books.scopes.values()) {
    const isDue = scope.owner === holder && scope.status !== 'ended' && !scope.isOrphaned
    demand(isDue === outcome.orphanedScopes.includes(scope.id), 'assumed once', () => {
      return `${scope.id} of ${scope.owner} ${isDue ? 'was not' : 'was'} left behind with ${holder}`
    })
    if (!isDue) continue
    scope.isOrphaned = true
    freePlace(scope)
    books.touch(scope.id, atMs)
  }
}
