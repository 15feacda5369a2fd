import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSqliteStore, verifyLedger } from '../../../src/stores/sqlite/index.ts'
import { createTemporaryFolder } from '../../house/temporary-folder.ts'
import { startWorker, type Worker } from '../start-worker.ts'

const WORKER = new URL('./group-worker.ts', import.meta.url)

async function told(worker: Worker, ...kinds: readonly string[]): Promise<Record<string, unknown>> {
  for (let line = 0; line < 10; line++) {
    const news = await worker.next()
    if (kinds.includes(String(news.kind))) return news
    if (news.kind === 'refused') throw new Error(String(news.message))
  }
  throw new Error(`It never said ${kinds.join(' or ')}.`)
}

const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []

/** The tasks of those that the ledger says have completed. */
async function completedIn(home: string): Promise<readonly string[]> {
  const store = createSqliteStore({ file: join(home, 'ledger.db') })
  try {
    const scopes = await store.list({ standing: 'all', parentId: 'g', atMs: Date.now() })
    return scopes
      .filter(({ status }) => status === 'completed')
      .map(({ id }) => JSON.parse(readFileSync(join(home, 'tasks', id, 'request.json'), 'utf8')).task)
  } finally {
    await store.dispose()
  }
}

const EXPECTED = {
  parallel: Array.from({ length: 20 }, (_, index) => `did part ${index + 1}`),
  chain: [
    '["x","y","z","u","v","w"]',
    ...['x', 'y', 'z', 'u', 'v', 'w'].map((item) => `did item ${item}`),
    'did end with ["x","y","z","u","v","w"]',
  ],
}

/** Kills a group with -9 at each of these moments, and resumes it. */
export function describeGroupKills(mode: 'parallel' | 'chain', moments: readonly string[]): void {
  describe(`a ${mode === 'parallel' ? '20-way fan-out' : 'chain'} whose process is killed with -9`, () => {
    it.each(moments)(
      'at %s: one of two resumes succeeds, nothing finished runs again, nothing is lost or counted twice',
      async (moment) => {
        const home = createTemporaryFolder()
        const workingFolder = createTemporaryFolder({ 'a.txt': 'hello' })
        const first = startWorker(WORKER, home, workingFolder, mode, moment)
        await told(first, 'stands')
        await first.kill()
        const finished = await completedIn(home)
        const before = linesOf(join(home, 'asked.log'))
        const workers = [1, 2].map(() => startWorker(WORKER, home, workingFolder, mode, 'resume'))
        const outcomes = await Promise.all(workers.map((worker) => told(worker, 'result', 'refused')))
        const [done, ...others] = outcomes.filter(({ kind }) => kind === 'result')
        expect(others).toEqual([])
        for (const { code } of outcomes.filter(({ kind }) => kind === 'refused')) {
          expect(['not_paused', 'scope_closed']).toContain(code)
        }
        expect(done).toMatchObject({ status: 'completed', outputs: EXPECTED[mode] })
        const asked = linesOf(join(home, 'asked.log'))
        for (const task of finished) expect(asked.slice(before.length)).not.toContain(task.split('\n')[0])
        // Two requests for each; what was reserved at the kill, five at most, is charged whether it was sent or not.
        const agents = EXPECTED[mode].length
        const { settled } = done as { readonly settled: Readonly<Record<string, number>> }
        expect(settled).toMatchObject({ spawns: agents })
        expect(settled.modelCalls).toBeGreaterThanOrEqual(asked.length)
        expect(settled.modelCalls).toBeLessThanOrEqual(2 * agents + 5)
        expect(await verifyLedger(join(home, 'ledger.db'))).toMatchObject({ ok: true, problems: [] })
      },
    )
  })
}
