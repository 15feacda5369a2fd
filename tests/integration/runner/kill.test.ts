import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { verifyLedger } from '../../../src/stores/sqlite/index.ts'
import { createTemporaryFolder } from '../../house/temporary-folder.ts'
import { startWorker, type Worker } from '../start-worker.ts'

const WORKER = new URL('./runner-worker.ts', import.meta.url)

async function until(worker: Worker, kind: string): Promise<Record<string, unknown>> {
  for (let line = 0; line < 100; line++) {
    const news = await worker.next()
    if (news.kind === kind) return news
    if (news.kind === 'refused') throw new Error(String(news.message))
  }
  throw new Error(`It never said ${kind}.`)
}

const outcome = async (worker: Worker): Promise<Record<string, unknown>> => {
  for (let line = 0; line < 100; line++) {
    const news = await worker.next()
    if (news.kind === 'result' || news.kind === 'refused') return news
  }
  throw new Error('It never came to an end.')
}

describe('a run whose process is killed with -9', () => {
  it.each(['model', 'tool', 'between', 'end'])(
    'at: %s. Of three resumes one succeeds, and nothing runs twice',
    async (order) => {
      const home = createTemporaryFolder()
      const workingFolder = createTemporaryFolder()
      const first = startWorker(WORKER, home, workingFolder, order)
      if (order === 'tool') await expect.poll(() => existsSync(join(workingFolder, 'begun'))).toBe(true)
      else await until(first, 'stands')
      await first.kill()
      const outcomes = await Promise.all(
        [1, 2, 3].map(() => outcome(startWorker(WORKER, home, workingFolder, 'resume'))),
      )
      const [done, ...others] = outcomes.filter(({ kind }) => kind === 'result')
      expect(others).toEqual([])
      expect(done).toMatchObject({ status: 'completed', output: 'All done.', toolCalls: 3 })
      for (const { code } of outcomes.filter(({ kind }) => kind === 'refused')) {
        expect(['not_paused', 'scope_closed']).toContain(code)
      }
      expect(readFileSync(join(workingFolder, 'ran.log'), 'utf8')).toBe('a\nb\nc\n')
      expect(await verifyLedger(join(home, 'ledger.db'))).toMatchObject({ ok: true, problems: [] })
      const record = JSON.parse(readFileSync(join(home, 'tasks/job-1/task.json'), 'utf8'))
      expect(record).toMatchObject({ status: 'completed', error: null })
    },
  )

  it('after a pause and a resume: it continues from its last state, not from the pause', async () => {
    const home = createTemporaryFolder()
    const workingFolder = createTemporaryFolder()
    expect(await outcome(startWorker(WORKER, home, workingFolder, 'pause'))).toMatchObject({ status: 'paused' })
    const second = startWorker(WORKER, home, workingFolder, 'go-on')
    await until(second, 'stands')
    await second.kill()
    const done = await outcome(startWorker(WORKER, home, workingFolder, 'resume'))
    expect(done).toMatchObject({ status: 'completed', output: 'All done.', toolCalls: 3 })
    expect(readFileSync(join(workingFolder, 'ran.log'), 'utf8')).toBe('a\nb\nc\n')
    expect(await verifyLedger(join(home, 'ledger.db'))).toMatchObject({ ok: true, problems: [] })
  })

  it('while it starts: of two processes that start the same task one succeeds', async () => {
    const home = createTemporaryFolder()
    const workingFolder = createTemporaryFolder()
    const outcomes = await Promise.all([1, 2].map(() => outcome(startWorker(WORKER, home, workingFolder, 'run'))))
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['refused', 'result'])
    expect(readFileSync(join(workingFolder, 'ran.log'), 'utf8')).toBe('a\nb\nc\n')
  })
})
