import { demand } from '../world/violation.ts'
import type { Seen } from './apply-operation.ts'
import { foresee } from './compare-history.ts'
import { answerRaised } from './see-requests.ts'
import { adopt, freePlace, takePlace } from './see-scopes.ts'
import type { Books } from './witness.ts'
import { lowestCeilings, underCeilings, witnessLimits, writtenLimits } from './witness-limits.ts'

export function seeHold(books: Books, { request }: Seen<'hold'>): void {
  const scope = books.scopes.get(request.scopeId)!
  if (request.ask !== null) scope.mayHold = true
  const before = scope.path.flatMap(({ limits }) => limits.map(({ held }) => held))
  books.touch(scope.id, request.atMs, (readings) => {
    const limits = readings.flatMap((reading) => reading.limits)
    for (const [place, { limit, settled, reserved, held }] of limits.entries()) {
      const isWithin = held <= (before[place] ?? 0) || settled + reserved + held <= limit.max
      demand(isWithin, 'law 1', () => `${scope.id} holds what is spent of ${limit.meter}: ${held} of ${limit.max}`)
    }
  })
}

export function seeSetLimits(books: Books, { request, outcome }: Seen<'setLimits'>): void {
  if (outcome.kind !== 'written') return
  const scope = books.scopes.get(request.scopeId)!
  const { expectedRevision = scope.revision } = request
  const ceilings = lowestCeilings([...scope.ceilings, ...writtenLimits(request.limits)])
  const limits = witnessLimits(scope, underCeilings(ceilings, writtenLimits(request.limits)))
  if (expectedRevision !== scope.revision) {
    // What was sent before, and whose answer was lost, is no conflict and no change.
    const written = limits.map(({ key, max, action }) => `${key} ${max} ${action}`)
    const standing = scope.limits.map(({ key, max, action }) => `${key} ${max} ${action}`)
    demand(String(written.toSorted()) === String(standing.toSorted()), 'limits', () => {
      return `the limits of ${scope.id} were overwritten by somebody who had not seen them`
    })
    return
  }
  scope.revision++
  scope.limits = limits
  scope.ceilings = ceilings
  answerRaised(books, scope)
  books.touch(scope.id, request.atMs)
}

export function seePause(books: Books, { request, outcome }: Seen<'pause'>): void {
  const scope = books.scopes.get(request.scopeId)!
  demand((outcome.kind === 'closed') === (scope.status === 'ended'), 'paused', () => `${scope.id}: ${outcome.kind}`)
  if (outcome.kind === 'closed') return
  if (request.document !== undefined) scope.document = request.document
  const isQuestion = request.requestId != null
  const wasPaused = scope.status === 'paused'
  const isDuplicate = wasPaused && (!scope.isAsking || isQuestion)
  demand(isDuplicate === (outcome.kind === 'duplicate'), 'paused', () => `${scope.id} was ${outcome.kind}`)
  if (!isDuplicate) foresee(books, 'agent_paused', scope.id)
  scope.isAsking = isQuestion && (!wasPaused || scope.isAsking)
  scope.status = 'paused'
  if (!isDuplicate && !isQuestion) freePlace(scope)
  books.touch(scope.id, request.atMs)
}

/** A pause is lifted once, and what was saved comes back as it was. */
export function seeResume(books: Books, { request, outcome }: Seen<'resume'>): void {
  const scope = books.scopes.get(request.scopeId)!
  if (outcome.kind !== 'resumed') return
  const mayGoOn = scope.status === 'paused' || (scope.isOrphaned && scope.status !== 'ended')
  demand(mayGoOn, 'resumed once', () => `${scope.id} was resumed, but is ${scope.status}`)
  demand(outcome.document === scope.document, 'resumed once', () => {
    return `${scope.id} was resumed with ${outcome.document}, but ${scope.document} was saved`
  })
  if (scope.isOrphaned) adopt(scope, request.owner ?? null)
  else if (request.owner !== undefined) scope.owner = request.owner
  foresee(books, 'agent_resumed', scope.id)
  takePlace(scope)
  scope.status = 'running'
  scope.isAsking = false
  scope.resumes++
  if (request.hold !== undefined) scope.mayHold = true
  books.touch(scope.id, request.atMs)
}

export function seeNote(books: Books, { request }: Seen<'note'>): void {
  const scope = books.scopes.get(request.scopeId)!
  if (request.document !== undefined && scope.status !== 'ended') scope.document = request.document
}
