import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { limitFixture } from '../../core/limits/limit.fixture.ts'
import { createSystemClock } from '../../system/index.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import { createContractLedger } from '../../testing/store-contract/contract-ledger.ts'
import type { SqliteStoreOptions } from './create-sqlite-store.ts'
import { highWaterFileOf } from './database/index.ts'
import { copyLedger, editLedger, ledgerFile, openLedger } from './ledger-file.fixture.ts'

const REPLACED = { code: 'ledger_replaced', retryable: false }

/** A ledger of 1,000 tokens of which 100 are spent, open. */
async function spentLedger(file = ledgerFile(), options: Partial<SqliteStoreOptions> = {}) {
  const clock = createManualClock()
  const store = openLedger(file, { clock, schedule: setImmediate, ...options })
  const ledger = createContractLedger(store)
  await ledger.open('run', [limitFixture('tokens', 1_000)])
  await ledger.spend('run', { tokens: 100 })
  return { file, ledger, store, clock }
}

/** Replaces a ledger and its companion files with identical copies, as a restore or a sync tool does. */
function replaceByCopy(file: string, suffixes: readonly string[]): void {
  for (const suffix of suffixes) {
    copyFileSync(`${file}${suffix}`, `${file}${suffix}.copy`)
    renameSync(`${file}${suffix}.copy`, `${file}${suffix}`)
  }
}

const removals = [
  { what: 'its file was removed', act: (file: string) => rmSync(file) },
  { what: 'its folder was removed', act: (file: string) => rmSync(dirname(file), { recursive: true }) },
  {
    what: 'its folder was removed and made again',
    act(file: string) {
      rmSync(dirname(file), { recursive: true })
      mkdirSync(dirname(file))
    },
  },
  { what: 'its file has another name', act: (file: string) => renameSync(file, `${file}.old`) },
  {
    what: 'a folder above it has another name',
    act: (file: string) => renameSync(dirname(file), `${dirname(file)}-old`),
  },
  {
    what: 'it and its log were replaced by identical copies',
    act: (file: string) => replaceByCopy(file, ['', '-wal', '-shm']),
  },
  { what: 'its file alone was replaced by an identical copy', act: (file: string) => replaceByCopy(file, ['']) },
  { what: 'its log was removed', act: (file: string) => rmSync(`${file}-wal`) },
  { what: 'the index of its log was removed', act: (file: string) => rmSync(`${file}-shm`) },
] as const

describe('a ledger that is open, and', () => {
  it.each(removals)('$what: reports it before the next answer, and grants nothing more', async ({ act }) => {
    const { file, ledger, store } = await spentLedger()
    await ledger.reserve('run', { tokens: 50 }, { reservationId: 'in flight' })
    act(file)
    await expect(ledger.reserve('run', { tokens: 1 })).rejects.toMatchObject(REPLACED)
    await expect(store.poll({ since: null })).rejects.toMatchObject(REPLACED)
    await expect(ledger.settle('in flight')).rejects.toThrow(/while this process had it open. .*start it again/)
    rmSync(`${dirname(file)}-old`, { recursive: true, force: true })
  })

  it('is spent only once, however it is replaced while two processes have it', async () => {
    const { file, ledger } = await spentLedger()
    replaceByCopy(file, ['', '-wal', '-shm'])
    const other = createContractLedger(openLedger(file))
    await other.reserve('run', { tokens: 900 }, { reservationId: 'of the other' })
    await other.settle('of the other')
    await expect(ledger.spend('run', { tokens: 900 })).rejects.toMatchObject(REPLACED)
    expect(await other.settled('run', 'tokens')).toBe(1_000)
  })

  // The clock is read twice before a transaction begins, once inside of it, and once after its commit.
  const moments = [1, 2, 3, 4].flatMap((look) => [{ look, sync: 'beside' } as const, { look, sync: 'within' } as const])

  it.each(moments)(
    'is replaced while a call is being admitted (look $look, synced $sync): it is refused',
    async (moment) => {
      const { look, sync } = moment
      let looksLeft = Number.POSITIVE_INFINITY
      const file = ledgerFile()
      const clock = createManualClock()
      const { monotonicMs } = clock
      const watched = Object.assign(clock, {
        monotonicMs() {
          if (--looksLeft === 0) replaceByCopy(file, ['', '-wal', '-shm'])
          return monotonicMs()
        },
      })
      const { ledger } = await spentLedger(file, { sync, clock: watched })
      const granting = ledger.reserve('run', { tokens: 1 })
      looksLeft = look
      await expect(granting).rejects.toMatchObject(REPLACED)
      expect(looksLeft).toBeLessThan(1)
    },
  )

  it('is removed: no other file is written, not even when it is closed', async () => {
    const { file, ledger, store, clock } = await spentLedger()
    await ledger.spend('run', { tokens: 1 })
    rmSync(dirname(file), { recursive: true })
    mkdirSync(dirname(file))
    await clock.advance(1_000)
    await store.dispose()
    expect(existsSync(highWaterFileOf(file))).toBe(false)
  })

  it('is reached by a link that now leads elsewhere: reports it', async () => {
    const file = ledgerFile()
    const real = `${file}.real`
    await (await spentLedger(real)).store.dispose()
    symlinkSync(real, file)
    const ledger = createContractLedger(openLedger(file))
    await ledger.reserve('run', { tokens: 1 }, { reservationId: 'here' })
    copyLedger(real, `${file}.other`)
    rmSync(file)
    symlinkSync(`${file}.other`, file)
    await expect(ledger.settle('here')).rejects.toMatchObject(REPLACED)
  })

  it('has seen fewer changes than before: an older copy was written over it', async () => {
    const { file, ledger } = await spentLedger(ledgerFile(), { clock: createSystemClock() })
    editLedger(file, 'UPDATE ledger SET change = change - 1')
    await expect(ledger.spend('run', { tokens: 1 })).rejects.toThrow(/overwritten with an older copy/)
    editLedger(file, 'UPDATE ledger SET change = change + 100')
    await expect(ledger.spend('run', { tokens: 1 })).rejects.toMatchObject(REPLACED)
  })

  it('stays replaced, even if the first file is put back', async () => {
    const { file, ledger } = await spentLedger()
    renameSync(file, `${file}.old`)
    await expect(ledger.spend('run', { tokens: 1 })).rejects.toMatchObject(REPLACED)
    renameSync(`${file}.old`, file)
    await expect(ledger.spend('run', { tokens: 1 })).rejects.toMatchObject(REPLACED)
    const again = createContractLedger(openLedger(file))
    expect(await again.settled('run', 'tokens')).toBe(100)
  })
})
