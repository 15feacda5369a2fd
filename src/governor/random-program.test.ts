import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type EventName, isEnded } from '../core/index.ts'
import { settleDown } from './fixtures/governor.fixture.ts'
import { type Played, play, programs, startProgram, turn } from './fixtures/random-program.fixture.ts'
import { createTroubledStore } from './fixtures/troubled-store.fixture.ts'
import { runtimeBehind } from './scope/scope-handle.ts'
import { isLiving, type ScopeRuntime } from './scope/scope-runtime.ts'

const HOUR_MS = 3_600_000
// A child may wait for its own request after its parent's.
const MOST_HOURS = 10

// Events that the programs must cause, or the test shows nothing.
const EXPECTED: readonly EventName[] = [
  'agent_completed',
  'agent_failed',
  'agent_paused',
  'agent_resumed',
  'call_clamped',
  'increase_denied',
  'increase_granted',
  'limit_exceeded',
  'limit_raised',
  'reservation_denied',
  'reservation_waiting',
  'spawn_refused',
]

/** Law 1: no grant exceeds a limit. Limits are only raised here, and nothing overruns. */
async function expectLaws({ scopes }: Played): Promise<void> {
  for (const scope of scopes) {
    const { tokens, toolCalls, concurrency } = await scope.usage()
    for (const { windows } of [tokens, toolCalls, concurrency]) {
      for (const { limit, settled, reserved, held, scope: id } of windows) {
        if (id !== scope.id || settled + reserved + held <= limit) continue
        throw new Error(`${scope.path}: ${settled} settled, ${reserved} reserved, ${held} held of ${limit}`)
      }
    }
  }
}

/** An ended scope stays ended, nothing waits or works in it, and its counts of children match the children. */
function expectNothingLeft(runtime: ScopeRuntime): void {
  const { activity, children, queued, promised, life, context } = runtime
  expect(isEnded(life.status)).toBe(!isLiving(runtime))
  const standing = [...children].filter((child) => child.activity.isSuspended).length
  expect([activity.calls, activity.waits, queued]).toEqual([0, 0, 0])
  expect([activity.openChildren, activity.standingChildren]).toEqual([children.size, standing])
  expect(Object.values(promised).filter((amount) => amount !== 0)).toEqual([])
  const request = life.pause?.request
  if (request) expect(context.increases.has(request)).toBe(true)
}

/** Settles everything in flight, answers every request and lets time pass: after that, nothing may still wait. */
async function playToTheEnd(program: Played): Promise<void> {
  const { clock, governor, reservations } = program
  for (let hour = 0; hour < MOST_HOURS && program.waiting.size > 0; hour++) {
    for (const reservation of reservations.splice(0)) await reservation.settle()
    for (const request of await governor.requests()) await governor.deny(request.id)
    await clock.advance(HOUR_MS)
  }
  await turn()
}

const trouble = fc.record({ turnsBefore: fc.nat(3), turnsAfter: fc.nat(3), share: fc.nat(99) })
const troubles = fc.infiniteStream(trouble)

const troubledPrograms = fc.asyncProperty(
  programs,
  troubles,
  fc.constantFrom(0, 8),
  async (steps, stream, failShare) => {
    let mayFail = true
    const store = createTroubledStore(() => {
      const { share, ...turns } = stream.next().value!
      return { ...turns, fails: mayFail && share < failShare }
    })
    const program = startProgram(new Set(), store)
    for (const step of steps) await play(program, step)
    for (let hour = 0; hour < MOST_HOURS && program.waiting.size > 0; hour++) {
      await program.clock.advance(HOUR_MS)
      await settleDown()
    }
    expect(program.waiting.size).toBe(0)
    for (const scope of program.scopes) expectNothingLeft(runtimeBehind(scope)!)
    mayFail = false
    await program.governor.close()
    expect(program.clock.pendingTimers).toBe(0)
  },
)

// Programs on an unreliable store that failed before. A seed is only valid while the generator stays the same.
const PAST_FAILURES = [
  // Was paused again after its end, by an older reading.
  { seed: 1640921804, path: '186' },
  // Was paused again by a pause that reached the store after the resume that followed it.
  { seed: 247342730, path: '141' },
  // Was paused for a request that had expired while a second manual resume was in progress.
  { seed: 1564438877, path: '34' },
]

describe('a governor under random programs', () => {
  it('keeps the laws, leaves nothing waiting forever, and admits nothing after an end', async () => {
    const seen = new Set<EventName>()
    await fc.assert(
      fc.asyncProperty(programs, async (steps) => {
        const program = startProgram(seen)
        for (const step of steps) {
          await play(program, step)
          await expectLaws(program)
        }
        await playToTheEnd(program)
        expect(program.waiting.size).toBe(0)
        expect(program.grantedAfterEnd).toEqual([])
        await expectLaws(program)
        await program.governor.close()
        expect(program.clock.pendingTimers).toBe(0)
      }),
      { numRuns: 1_500 },
    )
    for (const event of EXPECTED) expect(seen).toContain(event)
  }, 60_000)

  it('leaves nothing behind over a store that answers late and sometimes fails', async () => {
    await fc.assert(troubledPrograms, { numRuns: 300 })
  }, 60_000)

  it.each(PAST_FAILURES)('leaves nothing behind for a seed that once failed: $seed', async (failure) => {
    await fc.assert(troubledPrograms, failure)
  })
})
