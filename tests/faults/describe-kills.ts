import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '../house/temporary-folder.ts'
import { KILL_POINTS } from './kill-points.ts'
import { runKills } from './run-kills.ts'

const LONGEST_MS = 600_000

/** Kills this many processes on one ledger: nothing that was acknowledged is lost. */
export function describeKills(kills: number): void {
  describe('I1: kill -9', () => {
    it(`of 4 processes on one SQLite file, ${kills} times: no acknowledged settlement lost, no half path, orphans assumed once, holds of the dead free, every event once in the history`, {
      timeout: LONGEST_MS,
    }, async () => {
      const report = await runKills({ file: join(createTemporaryFolder(), 'ledger.db'), kills, seed: 20_261_116 })
      expect(report.problems).toEqual([])
      expect(report.kills).toBeGreaterThanOrEqual(kills)
      // Every way to die really happened, and so did everything that could have gone wrong by it.
      for (const point of KILL_POINTS) expect(report.byPoint[point], point).toBeGreaterThan(0)
      for (const count of ['settled', 'breaches', 'assumed', 'adopted', 'pruned', 'events'] as const) {
        expect(report[count], count).toBeGreaterThan(0)
      }
    })
  })
}
