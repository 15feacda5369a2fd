import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { createSqliteStore } from '../../../src/stores/sqlite/index.ts'
import { createContractLedger } from '../../../src/testing/store-contract/contract-ledger.ts'
import { startReceiver } from './receiver.fixture.ts'

const WORKER = fileURLToPath(new URL('./sender-worker.ts', import.meta.url))
const KILLS = 8
const EVENTS = 200

it('a sender that is killed repeatedly loses no event, and repeats one only under its id', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stint-webhook-'))
  const file = join(folder, 'ledger.db')
  const { received, url } = await startReceiver((_, count) => (count % 7 === 0 ? 500 : 204))
  const store = createSqliteStore({ file })
  onTestFinished(async () => {
    await store.dispose()
    rmSync(folder, { recursive: true, force: true })
  })
  const ledger = createContractLedger(store)
  const ids = (): Set<string> => new Set(received.map(({ body }) => JSON.parse(body).id))

  const start = (holder: string): ChildProcess => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', WORKER, file, url, holder])
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }
  const kill = async (child: ChildProcess): Promise<void> => {
    child.kill('SIGKILL')
    await once(child, 'exit')
    // Its lease would run out in half a minute.
    const reading = await store.leased({ lease: 'webhook ops' })
    if (reading !== null)
      await store.lease({ lease: 'webhook ops', holder: reading.holder, forMs: 0, atMs: Date.now() })
  }

  let child = start('sender 0')
  await expect
    .poll(async () => (await store.leased({ lease: 'webhook ops' }))?.text ?? null, { timeout: 60_000 })
    .not.toBe(null)
  const expected: string[] = []
  for (let event = 0; event < EVENTS; event++) {
    const id = `tree ${event}`
    ledger.atMs = Date.now()
    await ledger.open(id)
    await ledger.store.close({ scopeId: id, status: 'failed', atMs: Date.now() })
    expected.push(`${id}:2`)
  }
  for (let kills = 1; kills <= KILLS; kills++) {
    const before = received.length
    await expect.poll(() => received.length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(before + kills)
    await kill(child)
    child = start(`sender ${kills}`)
  }
  await expect.poll(() => ids().size, { timeout: 120_000 }).toBe(EVENTS)
  expect([...ids()].sort()).toEqual(expected.sort())
  const bodies = new Map<string, Set<string>>()
  for (const { body } of received) {
    const { id } = JSON.parse(body)
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body))
  }
  for (const [id, sent] of bodies) expect([id, sent.size]).toEqual([id, 1])
})
