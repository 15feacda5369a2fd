import { describe, expect, it } from 'vitest'
import { problemsIn, type SweepRow, tableOf } from './sweep-row.ts'

const NANO = 1_000_000_000
const row = (budgetUsd: number, more: Partial<SweepRow> = {}): SweepRow => {
  const spentNanoUsd = more.spentNanoUsd ?? 0.95 * budgetUsd * NANO
  return {
    budgetUsd,
    toolCalls: Math.round(budgetUsd * 10),
    spentNanoUsd,
    ledgerNanoUsd: spentNanoUsd,
    possibleNanoUsd: budgetUsd * NANO,
    surelyPossibleNanoUsd: budgetUsd * NANO,
    isAnswered: true,
    exitCode: 124,
    note: '',
    ...more,
  }
}

describe('a sweep of budgets', () => {
  it('is good where every run has its answer and uses what it may', () => {
    expect(
      problemsIn([row(1), row(2), row(4, { exitCode: null, possibleNanoUsd: null, surelyPossibleNanoUsd: null })]),
    ).toEqual([])
  })

  it.each([
    [{ isAnswered: false, note: '402 used up' }, 'no answer (402 used up)'],
    [{ exitCode: 0 }, 'exit 0 instead of 124'],
    [{ spentNanoUsd: 2 * NANO + 1 }, '$2.0000 spent'],
    [{ ledgerNanoUsd: 5 }, 'the ledger has 5, the provider 1900000000'],
    [{ toolCalls: 9 }, '9 tool calls, and 10 with less'],
    [{ spentNanoUsd: 1.79 * NANO }, '$1.7900 used of $2.0000 that were possible'],
  ] as const)('names the budget of a run that is not: %j', (more, problem) => {
    expect(problemsIn([row(1), row(2, more), row(4)])).toEqual([`cost=2: ${problem}`])
  })

  it('wants a share of the budget used, from so many times the least on', () => {
    const floors = [
      { times: 3, share: 0.8 },
      { times: 10, share: 0.96 },
    ]
    const rows = [
      row(1, { spentNanoUsd: 0.5 * NANO, possibleNanoUsd: null, surelyPossibleNanoUsd: null }),
      row(2.9),
      row(3),
      row(10),
    ]
    expect(problemsIn(rows, floors)).toEqual(['cost=10: 95 % used, and 96 % is the least from 10 times on'])
  })

  it('is a table', () => {
    const rows = [
      row(1),
      row(2, { isAnswered: false, note: '402' }),
      row(4, { possibleNanoUsd: null, surelyPossibleNanoUsd: null }),
    ]
    expect(tableOf('pi', rows)).toBe(
      [
        '| program | budget | tool calls | spent | used | possible | used/possible | answer |',
        '| --- | --- | --- | --- | --- | --- | --- | --- |',
        '| pi | $1 | 10 | $0.9500 | 95 % | $1.0000 | 0.95 | yes |',
        '| pi | $2 | 20 | $1.9000 | 95 % | $2.0000 | 0.95 | **no**: 402 |',
        '| pi | $4 | 40 | $3.8000 | 95 % | – | – | yes |',
      ].join('\n'),
    )
  })
})
