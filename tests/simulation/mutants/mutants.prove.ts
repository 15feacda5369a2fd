import { describe, expect, it } from 'vitest'
import { runSimulation } from '../simulation.fixture.ts'
import { MUTANTS } from './mutants.ts'

const LONGEST_MS = 3_600_000

describe('the simulation', () => {
  it(
    'catches every planted bug within 1,000 seeds',
    async () => {
      const { output, exitCode } = await runSimulation('--mutant', 'all')
      expect(output).toContain(`${MUTANTS.length} of ${MUTANTS.length} mutants caught`)
      expect(exitCode, output).toBe(0)
    },
    LONGEST_MS,
  )
})
