import { describe, expect, it } from 'vitest'
import type { StoreName } from './load-stage.ts'
import { runSimulation } from './simulation.fixture.ts'

const LONGEST_MS = 1_800_000
// Seeds are independent, so they are played in two processes at once.
const PROCESSES = 2

/** Plays this many seeds on each store: whatever happens, the laws hold. */
export function describeSeeds({ memory, sqlite, postgres }: Readonly<Record<StoreName, number>>): void {
  describe('the simulation', () => {
    it(
      `holds over ${memory} seeds on the memory store, with every kind of fault`,
      () => playSeeds('memory', memory),
      LONGEST_MS,
    )

    it(
      `I1: holds over ${sqlite} seeds on real SQLite, whose journal adds up at the end of each`,
      () => playSeeds('sqlite', sqlite),
      LONGEST_MS,
    )

    it(`holds over ${postgres} seeds on a real Postgres`, () => playSeeds('postgres', postgres), LONGEST_MS)
  })
}

async function playSeeds(store: StoreName, seeds: number): Promise<void> {
  const share = Math.ceil(seeds / PROCESSES)
  const shares = Array.from({ length: PROCESSES }, (_, index) =>
    runSimulation('--store', store, '--seeds', String(share), '--first', String(1 + index * share)),
  )
  for (const { output, exitCode } of await Promise.all(shares)) {
    expect(output).toContain(`${share} seeds on ${store}`)
    expect(exitCode, output.slice(-20_000)).toBe(0)
  }
}
