import { expect, it } from 'vitest'
import { limitFixture } from '../limits/limit.fixture.ts'
import { balanceOf } from './balance.ts'
import { leftOnPath } from './left-on-path.ts'

it('is what the tightest scope has left of each counter, and never below 0', () => {
  const root = { id: 'team', path: 'team', limits: [balanceOf(limitFixture('tokens', 100), { settled: 70, held: 20 })] }
  const leaf = {
    id: 'run',
    path: 'team/run',
    limits: [
      balanceOf(limitFixture('toolCalls', 5), { settled: 1, reserved: 1 }),
      balanceOf(limitFixture('tokens', 50), { settled: 5 }),
      balanceOf(limitFixture('modelCalls', 5), { settled: 9 }),
    ],
  }
  expect(leftOnPath([root, leaf])).toEqual({ tokens: 10, toolCalls: 3, modelCalls: 0 })
})

it('ignores limits that only warn, and meters that are not counters', () => {
  const warning = { ...limitFixture('tokens', 100), action: 'warn' as const }
  const limits = [balanceOf(warning), balanceOf(limitFixture('time', 1_000))]
  expect(leftOnPath([{ id: 'run', path: 'run', limits }])).toEqual({})
})
