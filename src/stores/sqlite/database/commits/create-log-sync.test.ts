import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ledgerFolder } from '../ledger-folder.fixture.ts'
import { createLogSync } from './create-log-sync.ts'

it('syncs a log that is only created with the first commit', async () => {
  const file = join(ledgerFolder(), 'ledger.db')
  const log = createLogSync(file)
  writeFileSync(`${file}-wal`, 'frames')
  await expect(log.sync()).resolves.toBeUndefined()
  log.close()
  log.close()
})

it('never trusts a log again after one failed sync', async () => {
  const file = join(ledgerFolder(), 'ledger.db')
  const log = createLogSync(file)
  await expect(log.sync()).rejects.toMatchObject({ code: 'store_unavailable' })
  writeFileSync(`${file}-wal`, 'frames')
  await expect(log.sync()).rejects.toThrow('until the ledger is opened again')
  rmSync(`${file}-wal`)
})
