import fc from 'fast-check'
import type { Action, Amounts, CounterMeter, EndStatus, Limit, Period, ScopeKind } from '../../src/core/index.ts'
import { limitKey } from '../../src/core/index.ts'

/** One thing that somebody does to a ledger. Numbers choose among what is there at that moment, modulo its size. */
export type Command =
  | {
      readonly do: 'open'
      readonly parent: number
      readonly limits: readonly Limit[]
      readonly count: number
      readonly kind: ScopeKind
      readonly needs: Amounts | null
      readonly hold: Amounts | null
    }
  | { readonly do: 'close'; readonly scope: number; readonly status: EndStatus }
  | {
      readonly do: 'reserve'
      readonly scope: number
      readonly amounts: Amounts
      readonly holder: number
      readonly how: How
    }
  | { readonly do: 'settle'; readonly call: number; readonly actual: Reported; readonly hold: Amounts | null }
  | { readonly do: 'release'; readonly call: number; readonly hold: Amounts | null }
  | { readonly do: 'replay'; readonly step: number }
  | { readonly do: 'assume'; readonly holder: number }
  | { readonly do: 'hold'; readonly scope: number; readonly wanted: Amounts | null }
  | { readonly do: 'setLimits'; readonly scope: number; readonly limits: readonly Limit[] }
  | { readonly do: 'wait'; readonly minutes: number }

/** What a provider reports: the truth, less, more, nothing, or nonsense. */
export type Reported = Readonly<Partial<Record<CounterMeter, unknown>>> | null

export interface How {
  readonly patient: boolean
  readonly closing: boolean
  /** How many units of an elastic part on `tokens` are asked for beside the fixed amounts; 0: none. */
  readonly elastic: number
  /** The length of the conversation; 0: not told. */
  readonly messages: number
}

export const HOLDERS = ['first process', 'second process', 'third process'] as const

const METERS = ['toolCalls', 'tokens', 'cost', 'executionCost'] as const satisfies readonly CounterMeter[]

const index = fc.nat({ max: 1_000 })

const UNCOUNTED = ['concurrency', 'depth', 'messages'] as const

const limit: fc.Arbitrary<Limit> = fc
  .record({
    meter: fc.constantFrom(...METERS, ...METERS, 'spawns' as const, ...UNCOUNTED),
    max: fc.integer({ min: 0, max: 60 }),
    per: fc.constantFrom<(Period | null)[]>(null, null, null, 'hour', 'day', 'week', 'month'),
    timeZone: fc.constantFrom('Europe/Berlin', 'America/New_York'),
    action: fc.constantFrom<Action[]>('terminate', 'terminate', 'pause', 'ask', 'warn'),
    nearing: fc.constantFrom<(readonly number[])[]>([], [0.8], [0.5, 0.95]),
    layer: fc.constantFrom('call' as const, 'call' as const, 'ceiling' as const),
  })
  .map(({ per, layer, ...rest }) => {
    const isCounter = !(UNCOUNTED as readonly string[]).includes(rest.meter)
    return { ...rest, per: isCounter ? per : null, source: { layer, written: rest.meter } }
  })

const limits = fc.uniqueArray(limit, { maxLength: 4, selector: limitKey })

const amounts: fc.Arbitrary<Amounts> = fc.dictionary(fc.constantFrom(...METERS), fc.integer({ min: 0, max: 25 }), {
  minKeys: 1,
  noNullPrototype: true,
})

const nonsense = fc.constantFrom<unknown[]>(-1, Number.NaN, '7', 2 ** 53, 0.5, Number.POSITIVE_INFINITY, null, {})

const reported: fc.Arbitrary<Reported> = fc.oneof(
  { weight: 6, arbitrary: amounts as fc.Arbitrary<Reported> },
  { weight: 2, arbitrary: fc.constant(null) },
  {
    weight: 2,
    arbitrary: fc.dictionary(fc.constantFrom(...METERS), fc.oneof(nonsense, fc.integer({ min: 0, max: 50 })), {
      noNullPrototype: true,
    }),
  },
)

const how: fc.Arbitrary<How> = fc.record({
  patient: fc.boolean(),
  closing: fc.constantFrom(false, false, false, true),
  elastic: fc.constantFrom(0, 0, 1, 20, 60),
  messages: fc.constantFrom(0, 0, 1, 30, 60),
})

const hold = fc.option(amounts, { freq: 2 })

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('open'),
      parent: index,
      limits,
      count: fc.constantFrom(1, 1, 1, 2, 3),
      kind: fc.constantFrom<ScopeKind[]>('agent', 'agent', 'agent', 'group', 'lasting'),
      needs: fc.option(amounts),
      hold,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('close'),
      scope: index,
      status: fc.constantFrom<EndStatus[]>('completed', 'stopped', 'limit-reached', 'timed-out', 'failed'),
    }),
  },
  { weight: 12, arbitrary: fc.record({ do: fc.constant('reserve'), scope: index, amounts, holder: index, how }) },
  { weight: 9, arbitrary: fc.record({ do: fc.constant('settle'), call: index, actual: reported, hold }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release'), call: index, hold }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('replay'), step: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('assume'), holder: index }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('hold'), scope: index, wanted: fc.option(amounts) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('setLimits'), scope: index, limits }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), minutes: fc.integer({ min: -30, max: 1_500 }) }) },
) as fc.Arbitrary<Command>

/** A random history: a tree that grows, calls that come and go, clocks that step, and things that are sent twice. */
export const randomHistory = fc.array(command, { minLength: 5, maxLength: 60, size: 'max' })
