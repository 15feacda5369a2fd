import { isCounterMeter } from '../../../src/core/index.ts'
import { demand } from '../world/violation.ts'
import type { Seen } from './apply-operation.ts'
import type { WitnessScope, WrittenLimit } from './records.ts'
import type { Books } from './witness.ts'

/** One open request for each limit: whoever asks later joins it. */
export function seeAsk(books: Books, { request, outcome }: Seen<'ask'>): void {
  if (outcome.kind === 'unknown') return
  const open = books.openRequests.get(request.key)
  if (outcome.kind === 'joined' || open !== undefined) {
    demand(outcome.request.id === open?.id, 'asked once', () => `${request.key} has two open requests`)
  } else {
    const { id, scopeId, meter, per, limit } = outcome.request
    books.openRequests.set(request.key, { id, scopeId, meter, per, limit })
  }
}

/** Whoever asked for more of a limit that is higher now, or not enforced any more, has the answer. */
export function answerRaised(books: Books, scope: WitnessScope): void {
  for (const [key, { scopeId, meter, per, limit: before }] of books.openRequests) {
    if (scopeId !== scope.id) continue
    const present = scope.limits.filter((limit) => limit.meter === meter && limit.per === per)
    if (present.every(({ max, action }) => max > before || action === 'warn')) books.openRequests.delete(key)
  }
}

/** What is approved is added to the limit: no more than was asked for, and no more than the scopes above have left. */
export function seeAnswer(books: Books, { request, outcome }: Seen<'answer'>): void {
  if (outcome.kind !== 'answered') return
  const { scopeId, meter, per, key, granted, asked, id } = outcome.request
  demand(books.openRequests.get(key)?.id === id, 'answered once', () => `${id} was answered, and was not open`)
  books.openRequests.delete(key)
  if (granted === null) return
  const scope = books.scopes.get(scopeId)!
  demand(request.verdict === 'approved' && granted <= (request.amount ?? asked), 'approved', () => {
    return `${id} was given ${granted} where ${request.amount ?? asked} was ${request.verdict}`
  })
  const isCeiling = key.includes('#ceiling')
  const isRaised = (limit: WrittenLimit): boolean =>
    limit.meter === meter && limit.per === per && limit.isCeiling === isCeiling
  scope.revision++
  scope.limits = scope.limits.map((limit) => (isRaised(limit) ? { ...limit, max: limit.max + granted } : limit))
  for (const ceiling of scope.ceilings) {
    if (ceiling.meter !== meter || ceiling.per !== per) continue
    const raised = scope.limits.find(isRaised)!.max
    demand(raised <= ceiling.max, 'ceilings', () => `${id} raised ${scopeId} to ${raised}, above ${ceiling.max}`)
  }
  books.touch(scopeId, request.atMs, (readings) => {
    const above = readings.slice(0, -1).flatMap((reading) => reading.limits)
    const enforced = readings.at(-1)!.limits.filter(({ limit }) => limit.meter === meter && limit.action !== 'warn')
    const own = enforced.map((each) => each.remaining)
    // What only warns is nobody's to pay for, and a clock is its scope's own.
    if (scope.limits.find(isRaised)?.action === 'warn' || !isCounterMeter(meter)) return
    for (const { limit, remaining } of above) {
      if (limit.meter !== meter || limit.action === 'warn') continue
      demand(Math.min(...own) <= remaining, 'approved', () => {
        return `${id} raised ${scopeId} to ${Math.min(...own)} left, but a scope above has ${remaining}`
      })
    }
  })
}
