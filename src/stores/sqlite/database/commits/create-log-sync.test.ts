import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ledgerFolder } from '../ledger-folder.fixture.ts'
import { createLogSync } from './create-log-sync.ts'

it('brings a log to the disk that is made only with the first commit', async () => {
  const file = join(ledgerFolder(), 'ledger.db')
  const log = createLogSync(file)
  writeFileSync(`${file}-wal`, 'frames')
  await expect(log.sync()).resolves.toBeUndefined()
  log.close()
  log.close()
})

it('trusts no log again that could once not be brought to the disk', async () => {
  const file = join(ledgerFolder(), 'ledger.db')
  const log = createLogSync(file)
  await expect(log.sync()).rejects.toMatchObject({ code: 'store_unavailable' })
  writeFileSync(`${file}-wal`, 'frames')
  await expect(log.sync()).rejects.toThrow('until the ledger is opened again')
  rmSync(`${file}-wal`)
})
