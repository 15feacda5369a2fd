import { describe, expect, it } from 'vitest'
import { runSimulation } from './simulation.fixture.ts'

const LONGEST_MS = 1_800_000

describe('the simulation', () => {
  it(
    'holds over 5,000 seeds on the memory store, with every kind of fault',
    async () => {
      // Two at once: seeds know nothing of each other.
      const halves = ['1', '2501'].map((first) => runSimulation('--seeds', '2500', '--first', first))
      for (const { output, exitCode } of await Promise.all(halves)) {
        expect(output).toContain('2500 seeds on memory')
        expect(exitCode, output.slice(-20_000)).toBe(0)
      }
    },
    LONGEST_MS,
  )

  it(
    'I1: holds over 300 seeds on real SQLite, whose journal adds up at the end of each',
    async () => {
      const halves = ['1', '151'].map((first) => runSimulation('--seeds', '150', '--first', first, '--store', 'sqlite'))
      for (const { output, exitCode } of await Promise.all(halves)) {
        expect(output).toContain('150 seeds on sqlite')
        expect(exitCode, output.slice(-20_000)).toBe(0)
      }
    },
    LONGEST_MS,
  )
})
