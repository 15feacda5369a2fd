import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyLedger } from '../../../src/stores/sqlite/index.ts'
import { createTemporaryFolder } from '../../house/temporary-folder.ts'
import { startWorker, type Worker } from '../start-worker.ts'

const WORKER = new URL('./supervisor-worker.ts', import.meta.url)
const PARTS = [1, 2, 3, 4, 5] as const
const MOST_TOKENS = 100_000

export type Shape = 'calls' | 'group' | 'background'

/** One kill with everyone alive at so many happenings, or one after the other at these in the life of each. */
export type Kills =
  | { readonly shape: Shape; readonly moment: number }
  | { readonly shape: 'sequential'; readonly moments: readonly number[] }

async function told(worker: Worker): Promise<Record<string, unknown>> {
  const news = await worker.next()
  if (news.kind === 'refused') throw new Error(String(news.message))
  return news
}

const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []

/** Kills the process of a supervisor with five subagents, so that each of them dies once, and goes on with it. */
export function describeSupervisorKills(kills: readonly Kills[]): void {
  describe('a supervisor of 5 subagents, each killed once with its process', () => {
    let cache = ''
    // Most of the time of a run is the start of its processes.
    beforeAll(() => {
      cache = mkdtempSync(join(tmpdir(), 'stint-compiled-'))
      process.env.NODE_COMPILE_CACHE = cache
    })
    afterAll(() => {
      delete process.env.NODE_COMPILE_CACHE
      rmSync(cache, { recursive: true, force: true })
    })

    it.each(kills)('%o: each task is done once, nothing is lost, and the limit holds', async (given) => {
      const home = createTemporaryFolder()
      const workingFolder = createTemporaryFolder({ 'a.txt': 'hello' })
      const start = (how: 'run' | 'resume', victim: string, moment: number): Worker =>
        startWorker(WORKER, home, workingFolder, given.shape, how, victim, String(moment))
      const deaths =
        given.shape === 'sequential'
          ? given.moments.map((moment, index) => [String(index + 1), moment] as const)
          : [['all', given.moment] as const]
      for (const [index, [victim, moment]] of deaths.entries()) {
        const worker = start(index === 0 ? 'run' : 'resume', victim, moment)
        expect(await told(worker)).toEqual({ kind: 'stands' })
        await worker.kill()
      }
      const result = await told(start('resume', 'none', 0))
      const outputs = PARTS.map((part) => `did part ${part}`)
      expect(result).toMatchObject({
        status: 'completed',
        error: null,
        children: outputs.map((output) => ['completed', output]),
      })
      for (const output of outputs) expect(result.output).toContain(output)
      expect(linesOf(join(workingFolder, 'done.log')).toSorted()).toEqual(PARTS.map((part) => `part ${part}`))
      const { settled } = result as { readonly settled: Readonly<Record<string, number>> }
      expect(settled.spawns).toBe(PARTS.length)
      expect(settled.tokens).toBeLessThanOrEqual(MOST_TOKENS)
      expect(settled.modelCalls).toBeGreaterThanOrEqual(linesOf(join(home, 'asked.log')).length)
      expect(await verifyLedger(join(home, 'ledger.db'))).toMatchObject({ ok: true, problems: [] })
    })
  })
}
