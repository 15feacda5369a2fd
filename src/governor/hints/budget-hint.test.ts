import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { METER_NAMES } from '../../core/meter.ts'
import { budgetHint } from './index.ts'
import { standingFixture as standing, usd } from './standing.fixture.ts'

describe('the hint about counts', () => {
  it('F2: of 5 tool calls, result 1 has none, and results 2 to 5 say 3, 2, 1 and 0 left', () => {
    expect([1, 2, 3, 4, 5].map((settled) => budgetHint([standing('toolCalls', 5, settled)]))).toEqual([
      null,
      '[budget: 3 of 5 tool calls left — wrap up soon]',
      '[budget: 2 of 5 tool calls left — wrap up soon]',
      '[budget: 1 of 5 tool calls left — finalize now]',
      '[budget: 0 of 5 tool calls left — finalize NOW; the next tool call will be refused]',
    ])
  })

  it('A12: the number is what the gate has left, calls in flight included', () => {
    expect(budgetHint([standing('toolCalls', 20, 16, { reserved: 2 })])).toContain('2 of 20 tool calls left')
  })

  it('counts model calls without the one held for closing', () => {
    expect(budgetHint([standing('modelCalls', 10, 8, { held: 1 })])).toBe(
      '[budget: 1 of 10 model calls left — finalize now]',
    )
    expect(budgetHint([standing('modelCalls', 10, 9, { held: 1 })])).toBe(
      '[budget: 0 of 10 model calls left — finalize NOW; the next model call will be refused]',
    )
  })

  it('names the period', () => {
    expect(budgetHint([standing('toolCalls', 20, 18, { per: 'day' })])).toBe(
      '[budget: 2 of 20 tool calls per day left — wrap up soon]',
    )
  })
})

describe('the hint about tokens, cost and time', () => {
  it.each([
    [0.79, null],
    [0.799_999_999, null],
    [0.8, '[budget: $0.20 of $1.00 left — wrap up soon]'],
    [0.82, '[budget: $0.18 of $1.00 left — wrap up soon]'],
    [0.949, '[budget: $0.05 of $1.00 left — wrap up soon]'],
    [0.95, '[budget: $0.05 of $1.00 left — finalize now]'],
    [0.9957, '[budget: $0.0043 of $1.00 left — finalize now]'],
    [1, '[budget: $0.00 of $1.00 left — finalize NOW; the next call will be refused]'],
    [1.2, '[budget: $0.00 of $1.00 left — finalize NOW; the next call will be refused]'],
  ])('for $1.00 with $%d settled is %s', (settled, hint) => {
    expect(budgetHint([standing('cost', usd(1), usd(settled))])).toBe(hint)
  })

  it.each([
    ['tokens', 50_000, 41_000, '[budget: 9000 of 50000 tokens left — wrap up soon]'],
    ['outputTokens', 1500, 1460, '[budget: 40 of 1500 output tokens left — finalize now]'],
    ['planningCost', usd(0.5), usd(0.44), '[budget: $0.06 of $0.50 planning cost left — wrap up soon]'],
    ['time', 600_000, 481_500, '[budget: 1m58s of 10m time left — wrap up soon]'],
    ['wallTime', 60_000, 59_600, '[budget: 400ms of 1m wall time left — finalize now]'],
  ] as const)('for %s has the right words', (meter, limit, settled, hint) => {
    expect(budgetHint([standing(meter, limit, settled)])).toBe(hint)
  })

  it('counts what is held for the closing call as used', () => {
    expect(budgetHint([standing('cost', usd(1), usd(0.5), { held: usd(0.4) })])).toContain('$0.10 of $1.00 left')
  })

  it('does not end an agent because siblings have reserved much: that comes back, and calls wait for it', () => {
    expect(budgetHint([standing('cost', usd(1), usd(0.3), { reserved: usd(0.7) })])).toBeNull()
  })

  it('never shows more money or time than there is', () => {
    fc.assert(
      fc.property(fc.constantFrom('cost', 'time'), fc.nat(2 ** 31), (meter, left) => {
        const hint = budgetHint([standing(meter, 2 ** 40, 2 ** 40 - left)])!
        const [, dollars, duration] = /^\[budget: (?:\$([\d.]+)|(\S+)) of/.exec(hint)!
        const shown = dollars === undefined ? durationMs(duration!) : usd(Number(dollars))
        expect(shown).toBeLessThanOrEqual(left)
        expect(shown === 0).toBe(left === 0)
      }),
    )
  })
})

function durationMs(text: string): number {
  const sizes: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 }
  return [...text.matchAll(/(\d+)(ms|[dhms])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * sizes[unit!]!,
    0,
  )
}

describe('the meter that the hint names', () => {
  it('is the one with the smallest share left', () => {
    const toolCalls = standing('toolCalls', 20, 17)
    expect(budgetHint([toolCalls, standing('cost', usd(1), usd(0.82))])).toContain('tool calls')
    expect(budgetHint([toolCalls, standing('cost', usd(1), usd(0.9))])).toContain('$0.10 of $1.00')
  })

  it('is the first in the order of the meters at equal shares', () => {
    expect(budgetHint([standing('cost', usd(1), usd(0.9)), standing('toolCalls', 20, 18)])).toContain('tool calls')
  })

  it('is shown with the smallest remaining amount on the path', () => {
    const path = [standing('toolCalls', 100, 98), standing('toolCalls', 5, 2), standing('toolCalls', 20, 17)]
    expect(budgetHint(path)).toBe('[budget: 2 of 100 tool calls left — wrap up soon]')
  })

  it('is none while nothing is tight, without limits, and for meters that no agent paces itself by', () => {
    expect(budgetHint([])).toBeNull()
    expect(budgetHint([standing('toolCalls', 20, 16), standing('tokens', 1000, 700)])).toBeNull()
    expect(budgetHint([standing('spawns', 2, 2), standing('concurrency', 2, 2), standing('depth', 0, 0)])).toBeNull()
  })

  it('is an enforced one, even if a plan has been exceeded', () => {
    const plan = standing('toolCalls', 50, 52, { action: 'warn' })
    expect(budgetHint([plan, standing('cost', usd(1), usd(0.82))])).toContain('$0.18 of $1.00 left')
    expect(budgetHint([plan, standing('cost', usd(1), usd(0.5))])).toContain('over the plan')
  })
})

describe('the words for each action', () => {
  it('A7: under warn, it counts down without a refusal, and then says "over the plan"', () => {
    const hint = (settled: number) => budgetHint([standing('toolCalls', 50, settled, { action: 'warn' })])
    expect(hint(47)).toBe('[budget: 3 of 50 tool calls left — wrap up soon]')
    expect(hint(49)).toBe('[budget: 1 of 50 tool calls left — finalize now]')
    expect(hint(50)).toBe('[budget: 0 of 50 tool calls left — finalize NOW]')
    expect(hint(52)).toBe('[budget: 52 of 50 tool calls used — over the plan, finish soon]')
  })

  it('A7: a plan for money is exceeded by the smallest fraction of a cent', () => {
    expect(budgetHint([standing('cost', usd(1), usd(1) + 1, { action: 'warn' })])).toBe(
      '[budget: $1.01 of $1.00 used — over the plan, finish soon]',
    )
  })

  it.each([
    ['pause', '; at the next tool call the run will be paused'],
    ['ask', '; at the next tool call the run will be paused until more is approved'],
  ] as const)('under %s, the last line says that the run will be paused', (action, words) => {
    expect(budgetHint([standing('toolCalls', 20, 20, { action })])).toBe(
      `[budget: 0 of 20 tool calls left — finalize NOW${words}]`,
    )
    expect(budgetHint([standing('toolCalls', 20, 19, { action })])).not.toContain('paused')
  })

  it('never threatens with a refusal if the limits only warn', () => {
    const anyStanding = fc
      .tuple(fc.constantFrom(...METER_NAMES), fc.nat(1000), fc.nat(2000))
      .map(([meter, limit, settled]) => standing(meter, limit, settled, { action: 'warn' }))
    fc.assert(
      fc.property(fc.array(anyStanding, { maxLength: 5 }), (standings) => {
        expect(budgetHint(standings) ?? '').not.toMatch(/refused|paused/)
      }),
    )
  })
})
