import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { verifyLedger } from '../../../src/stores/sqlite/index.ts'
import { createTemporaryFolder } from '../../house/temporary-folder.ts'
import { startWorker, type Worker } from '../start-worker.ts'
import { isAlive } from './acceptance.fixture.ts'

const WORKER = new URL('./acceptance-worker.ts', import.meta.url)

async function outcome(worker: Worker): Promise<Record<string, unknown>> {
  for (let line = 0; line < 100; line++) {
    const news = await worker.next()
    if (news.kind === 'result' || news.kind === 'refused') return news
  }
  throw new Error('It never came to an end.')
}

const lines = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1

describe('a run whose process is killed with -9 while its work is checked', () => {
  it('in a command: it is checked again, the command leaves nothing behind, and no model call is repeated', async () => {
    const [home, folder] = [createTemporaryFolder(), createTemporaryFolder()]
    const first = startWorker(WORKER, home, folder, 'hang')
    await expect.poll(() => existsSync(join(folder, 'pid')) && lines(join(folder, 'pid')) > 0).toBe(true)
    await first.kill()
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    writeFileSync(join(folder, 'fixed'), '')
    const done = await outcome(startWorker(WORKER, home, folder, 'resume'))
    expect(done).toMatchObject({ status: 'completed', output: 'Done 1.', acceptance: 'verified', modelCalls: 1 })
    expect(done).toMatchObject({ toolCalls: 0, requests: 0 })
    expect(isAlive(pid)).toBe(false)
    expect(lines(join(folder, 'ran.log'))).toBe(2)
    expect(await verifyLedger(join(home, 'ledger.db'))).toMatchObject({ ok: true, problems: [] })
  })

  it('in a finalization turn: it continues with that turn, and used turns stay used', async () => {
    const [home, folder] = [createTemporaryFolder(), createTemporaryFolder()]
    const first = startWorker(WORKER, home, folder, 'stand')
    for (let line = 0; (await first.next()).kind !== 'stands'; line++) expect(line).toBeLessThan(100)
    await first.kill()
    // One of two turns was begun: one more failure goes back, the next is the last.
    const done = await outcome(startWorker(WORKER, home, folder, 'resume'))
    expect(done).toMatchObject({ status: 'failed', acceptance: 'rejected', finalizationTurns: 2 })
    expect(String(done.error)).toMatch(/^Acceptance rejected: verify tests failed/)
    // The call that was killed is assumed.
    expect(done).toMatchObject({ modelCalls: 4, requests: 2 })
    expect(lines(join(folder, 'ran.log'))).toBe(3)
  })

  it('in the review: the reviewer continues, and is not started a second time', async () => {
    const [home, folder] = [createTemporaryFolder(), createTemporaryFolder()]
    const first = startWorker(WORKER, home, folder, 'review')
    for (let line = 0; (await first.next()).kind !== 'stands'; line++) expect(line).toBeLessThan(100)
    await first.kill()
    const done = await outcome(startWorker(WORKER, home, folder, 'review-resume'))
    expect(done).toMatchObject({
      status: 'completed',
      acceptance: 'reviewed',
      review: `job-${basename(home)}.review-1`,
      spawns: 1,
    })
  })
})
