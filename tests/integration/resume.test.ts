import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGovernor } from '../../src/governor/index.ts'
import { createSqliteStore, verifyLedger } from '../../src/stores/sqlite/index.ts'
import { createTemporaryFolder } from '../house/temporary-folder.ts'
import { startWorker } from './start-worker.ts'

const WORKER = new URL('./run-worker.ts', import.meta.url)

/** Ten processes that resume the same run at the same moment. */
async function tenTry(file: string): Promise<readonly Record<string, unknown>[]> {
  const workers = Array.from({ length: 10 }, () => startWorker(WORKER, file, 'resume'))
  expect(await Promise.all(workers.map((worker) => worker.next()))).toEqual(workers.map(() => ({ kind: 'ready' })))
  for (const { process: child } of workers) child.stdin!.write('go\n')
  return Promise.all(workers.map((worker) => worker.next()))
}

describe('a run whose process was killed with -9', () => {
  it('E1: if it was paused, exactly one of ten processes resumes it, with its conversation', async () => {
    const file = join(createTemporaryFolder(), 'ledger.db')
    const owner = startWorker(WORKER, file, 'pause')
    expect(await owner.next()).toEqual({ kind: 'done', status: 'paused', toolCalls: 1 })
    await owner.kill()
    const outcomes = await tenTry(file)
    expect(outcomes.filter(({ kind }) => kind === 'won')).toEqual([{ kind: 'won', conversation: ['so far'] }])
    expect(outcomes.filter(({ code }) => code === 'not_paused')).toHaveLength(9)
    expect(verifyLedger(file).problems).toEqual([])
  })

  it('E1: if it was working, exactly one of ten processes continues it', async () => {
    const file = join(createTemporaryFolder(), 'ledger.db')
    const owner = startWorker(WORKER, file, 'begin')
    await owner.next()
    await owner.kill()
    const outcomes = await tenTry(file)
    expect(outcomes.filter(({ kind }) => kind === 'won')).toEqual([{ kind: 'won', conversation: null }])
    expect(outcomes.filter(({ code }) => code === 'not_paused')).toHaveLength(9)
  })

  it('B8: continues when its program is started again, without counting as a second spawn', async () => {
    const file = join(createTemporaryFolder(), 'ledger.db')
    const owner = startWorker(WORKER, file, 'begin')
    await owner.next()
    await owner.kill()
    const again = startWorker(WORKER, file, 'open')
    expect(await again.next()).toEqual({ kind: 'done', status: 'running', toolCalls: 2 })
    const store = createSqliteStore({ file })
    onTestFinished(() => store.dispose())
    const governor = createGovernor({ store })
    onTestFinished(() => governor.close())
    await expect((await governor.find('job-1'))!.resume()).rejects.toMatchObject({ code: 'not_paused' })
    const readings = await store.list({ standing: 'open', atMs: Date.now() })
    expect(readings.map(({ id, isOrphaned }) => ({ id, isOrphaned }))).toEqual([{ id: 'job-1', isOrphaned: false }])
  })
})

describe('two governors on one file', () => {
  it('a run that is paused, raised and stopped in one is also in the other', async () => {
    const file = join(createTemporaryFolder(), 'ledger.db')
    const stores = [createSqliteStore({ file }), createSqliteStore({ file })] as const
    const [ours, theirs] = stores.map((store) => createGovernor({ store })) as [
      ReturnType<typeof createGovernor>,
      ReturnType<typeof createGovernor>,
    ]
    const run = await ours.open({ name: 'run', limits: { toolCalls: 1 }, onLimit: 'pause' })
    await run.callTool({ name: 'read' }, () => 1)
    await run.callTool({ name: 'read' }, () => 1)
    const found = (await theirs.find(run.id))!
    expect(found.status()).toBe('paused')
    await found.setLimits({ toolCalls: 3 })
    await expect.poll(() => run.status()).toBe('running')
    expect(await run.callTool({ name: 'read' }, () => 2)).toMatchObject({ value: 2 })
    await found.pause()
    await expect(run.callTool({ name: 'read' }, () => 3)).rejects.toMatchObject({ code: 'scope_paused' })
    await found.stop()
    await expect.poll(() => run.signal.aborted).toBe(true)
    await Promise.all([ours.close(), theirs.close()])
    await Promise.all(stores.map((store) => store.dispose()))
    expect(verifyLedger(file).problems).toEqual([])
  })
})
