import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '../house/temporary-folder.ts'
import { KILL_POINTS } from './kill-points.ts'
import { runKills } from './run-kills.ts'

const KILLS = 200

describe('I1: kill -9', () => {
  it(`of 4 processes on one SQLite file, ${KILLS} times: no acknowledged settlement lost, no half path, orphans assumed once, holds of the dead free`, {
    timeout: 600_000,
  }, async () => {
    const report = await runKills({ file: join(createTemporaryFolder(), 'ledger.db'), kills: KILLS, seed: 20_261_116 })
    expect(report.problems).toEqual([])
    expect(report.kills).toBeGreaterThanOrEqual(KILLS)
    // Every way to die really happened, and so did everything that could have gone wrong by it.
    for (const point of KILL_POINTS) expect(report.byPoint[point], point).toBeGreaterThan(0)
    for (const count of ['settled', 'breaches', 'assumed', 'adopted', 'pruned'] as const) {
      expect(report[count], count).toBeGreaterThan(0)
    }
  })
})
