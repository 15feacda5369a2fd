import fc from 'fast-check'
import { type CounterMeter, type EventName, isEnded, type LedgerStore } from '../core/index.ts'
import type { LimitsObject } from '../policy/index.ts'
import { createManualClock, type ManualClock } from '../testing/manual-clock.ts'
import { createGovernor } from './create-governor.ts'
import type { Governor, Refusal, Reservation, Scope } from './governor.ts'
import { answer, modelCall } from './model.fixture.ts'

/** One step of a random program. Numbers choose among what is there, so that every program makes sense. */
export type Step =
  | { readonly kind: 'open'; readonly at: number; readonly limits: Limits; readonly wrapUp: boolean }
  | { readonly kind: 'reserve'; readonly at: number; readonly tokens: number; readonly waitMs: number }
  | { readonly kind: 'settle'; readonly at: number; readonly share: number }
  | { readonly kind: 'release'; readonly at: number }
  | { readonly kind: 'answer'; readonly at: number }
  | { readonly kind: 'pause' | 'resume' | 'close' | 'stop' | 'tool'; readonly at: number }
  | { readonly kind: 'model'; readonly at: number; readonly input: number; readonly output: number }
  | { readonly kind: 'raise'; readonly at: number; readonly by: number }
  | { readonly kind: 'clock'; readonly ms: number }

interface Limits {
  readonly tokens?: number | undefined
  readonly toolCalls?: number | undefined
  readonly concurrency?: number | undefined
  readonly time?: number | undefined
  readonly onLimit?: 'terminate' | 'pause' | 'ask' | undefined
}

const at = fc.nat(100)
const limits = fc.record({
  tokens: fc.option(fc.integer({ min: 500, max: 10_000 }), { nil: undefined }),
  toolCalls: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  concurrency: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  time: fc.option(fc.integer({ min: 1_000, max: 120_000 }), { nil: undefined }),
  onLimit: fc.constantFrom('terminate', 'pause', 'ask', undefined),
})

/** Programs of opens, calls, pauses, raises, ends and clock steps. */
export const programs = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('open'), at, limits, wrapUp: fc.boolean() }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('reserve'),
        at,
        tokens: fc.integer({ min: 1, max: 4_000 }),
        waitMs: fc.constantFrom(0, 5_000, 600_000),
      }),
    },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('settle'), at, share: fc.nat(100) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constantFrom('release', 'pause', 'resume', 'close', 'stop', 'tool', 'tool', 'answer', 'answer'),
        at,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('model'), at, input: fc.nat(2_000), output: fc.nat(3_000) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('raise'), at, by: fc.integer({ min: 1, max: 5_000 }) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('clock'), ms: fc.constantFrom(1, 1_000, 30_000, 700_000) }) },
  ) as fc.Arbitrary<Step>,
  { minLength: 5, maxLength: 40 },
)

/** A program as it runs: what it has opened and reserved, and what still waits. */
export interface Played {
  readonly governor: Governor
  readonly clock: ManualClock
  readonly scopes: Scope[]
  readonly reservations: Reservation[]
  readonly waiting: Set<Promise<unknown>>
  /** Scopes on which something was granted after they had ended: there must be none. */
  readonly grantedAfterEnd: string[]
}

/** Notes in `seen` what happens, so that a test can tell whether its programs do anything at all. */
export function startProgram(seen: Set<EventName>, store?: LedgerStore): Played {
  const clock = createManualClock()
  const onEvent = ({ event }: { readonly event: EventName }): void => void seen.add(event)
  return {
    governor: createGovernor({ clock, onEvent, queueLength: 3, ...(store === undefined ? {} : { store }) }),
    clock,
    scopes: [],
    reservations: [],
    waiting: new Set(),
    grantedAfterEnd: [],
  }
}

/** Plays one step, and lets everything run that only waits for promises. */
export async function play(program: Played, step: Step): Promise<void> {
  const { governor, clock, scopes, reservations } = program
  if (step.kind === 'clock') return clock.advance(step.ms)
  const scope = scopes.length === 0 ? null : scopes[step.at % scopes.length]!
  if (step.kind === 'open') {
    const parent = step.at % 4 === 0 ? null : scope
    const spec = { name: 'scope', limits: defined(step.limits), wrapUp: step.wrapUp, waitMs: 60_000 }
    watch(
      program,
      (parent === null ? governor.open(spec) : parent.open(spec)).then((opened) => scopes.push(opened)),
    )
  } else if (step.kind === 'answer') {
    const [request] = await governor.requests().catch(() => [])
    if (request !== undefined)
      watch(program, step.at % 2 === 0 ? governor.approve(request.id) : governor.deny(request.id))
  } else if (step.kind === 'settle' || step.kind === 'release') {
    const [reservation] = reservations.splice(step.at % Math.max(1, reservations.length), 1)
    if (reservation !== undefined)
      watch(program, step.kind === 'settle' ? settle(reservation, step.share) : reservation.release())
  } else if (scope !== null) watch(program, playOn(program, scope, step))
  await turn()
}

type ScopeStep = Extract<Step, { kind: 'reserve' | 'model' | 'raise' | 'pause' | 'resume' | 'close' | 'stop' | 'tool' }>

function playOn(program: Played, scope: Scope, step: ScopeStep): Promise<unknown> {
  const hadEnded = isEnded(scope.status())
  const noteGrant = ({ granted }: { readonly granted: boolean }): void => {
    if (granted && hadEnded) program.grantedAfterEnd.push(scope.id)
  }
  switch (step.kind) {
    case 'reserve':
      return reserveOn(program, scope, step.tokens, step.waitMs).then(noteGrant)
    case 'tool':
      return scope.callTool({ name: 'tool' }, () => 1).then(noteGrant)
    case 'model': {
      const call = modelCall(step.input, step.output, { price: null })
      return scope.callModel(call, async (grant) => answer(step.input, grant.maxOutputTokens)).then(noteGrant)
    }
    case 'raise':
      return raise(scope, step.by)
    case 'pause':
      return scope.pause()
    case 'resume':
      return scope.resume()
    case 'close':
      return scope.close()
    case 'stop':
      return scope.stop()
  }
}

async function reserveOn({ reservations }: Played, scope: Scope, tokens: number, waitMs: number) {
  const outcome: Reservation | Refusal = await scope.reserve({ tokens }, { waitMs })
  if (outcome.granted) reservations.push(outcome)
  return outcome
}

async function settle(reservation: Reservation, share: number): Promise<void> {
  const used = Object.entries(reservation.amounts).map(([meter, most]) => [meter, Math.floor((most * share) / 100)])
  await reservation.settle(Object.fromEntries(used) as Partial<Record<CounterMeter, number>>)
}

async function raise(scope: Scope, by: number): Promise<void> {
  const { tokens } = await scope.usage()
  if (tokens.limit !== null) await scope.raise({ tokens: tokens.limit + by })
}

/** Refusals and ends are answers too: what must not be is none at all. */
function watch({ waiting }: Played, promise: Promise<unknown>): void {
  const settled: Promise<unknown> = promise.then(
    () => waiting.delete(settled),
    () => waiting.delete(settled),
  )
  waiting.add(settled)
}

/** Lets everything run that only waits for promises. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

function defined(written: Limits): LimitsObject {
  return Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined))
}
