import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ledgerFolder } from '../ledger-folder.fixture.ts'
import { createLogSync } from './create-log-sync.ts'

const CLOCK = { monotonicMs: () => 0 }

it('syncs a log that is only created with the first commit', async () => {
  const file = join(ledgerFolder(), 'ledger.db')
  const log = createLogSync(file, CLOCK)
  writeFileSync(`${file}-wal`, 'frames')
  await expect(log.sync()).resolves.toBeUndefined()
  log.close()
  log.close()
})

it('never trusts a log again after one failed sync', async () => {
  const file = join(ledgerFolder(), 'ledger.db')
  const log = createLogSync(file, CLOCK)
  await expect(log.sync()).rejects.toMatchObject({ code: 'store_unavailable' })
  writeFileSync(`${file}-wal`, 'frames')
  await expect(log.sync()).rejects.toThrow('until the ledger is opened again')
  rmSync(`${file}-wal`)
})

it('does not hand a sync to a thread for a lone operation on a fast disk, and does so while it is slow', async () => {
  const file = join(ledgerFolder(), 'ledger.db')
  writeFileSync(`${file}-wal`, 'frames')
  let nowMs = 0
  let tookMs = 0
  const log = createLogSync(file, { monotonicMs: () => (nowMs += tookMs) })
  const isWithin = async (isAlone: boolean): Promise<boolean> => {
    let isDone = false
    const sync = log.sync(isAlone).then(() => (isDone = true))
    for (let step = 0; step < 5; step++) await Promise.resolve()
    const wasDone = isDone
    await sync
    return wasDone
  }
  expect(await isWithin(true)).toBe(false)
  expect([await isWithin(true), await isWithin(false), await isWithin(true)]).toEqual([true, false, true])
  tookMs = 5
  expect([await isWithin(true), await isWithin(true), await isWithin(true)]).toEqual([true, false, false])
  tookMs = 0
  expect([await isWithin(true), await isWithin(true)]).toEqual([false, true])
  log.close()
})
