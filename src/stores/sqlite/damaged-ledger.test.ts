import { createHash } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isStintError } from '../../core/index.ts'
import { createContractLedger } from '../../testing/store-contract/contract-ledger.ts'
import { createSqliteStore } from './create-sqlite-store.ts'
import { copyLedger, editLedger, errorOf, ledgerFile, openLedger, readAll, usedLedger } from './ledger-file.fixture.ts'
import { pruneLedger } from './prune-ledger.ts'
import { verifyLedger } from './verify/verify-ledger.ts'

const damages: readonly (readonly [what: string, code: string, damage: (file: string) => void])[] = [
  ['that is gone', 'ledger_missing', (file) => rmSync(file)],
  ['that is empty', 'ledger_damaged', (file) => truncateSync(file, 0)],
  ['cut in half', 'ledger_damaged', (file) => truncateSync(file, statSync(file).size / 2)],
  ['without its last byte', 'ledger_damaged', (file) => truncateSync(file, statSync(file).size - 1)],
  ['that is text', 'ledger_foreign', (file) => writeFileSync(file, 'no ledger\n'.repeat(1_000))],
  ['of another program', 'ledger_foreign', (file) => editLedger(file, 'PRAGMA application_id = 7')],
  ['of a newer Stint', 'ledger_newer', (file) => editLedger(file, 'PRAGMA user_version = 99')],
  ['that is read-only', 'ledger_read_only', (file) => chmodSync(file, 0o444)],
  ['in a read-only folder', 'ledger_read_only', (file) => chmodSync(dirname(file), 0o555)],
]

describe('I6: a ledger', () => {
  it.each(damages)('%s: %s names the file, and no new ledger replaces it', async (_, code, damage) => {
    const file = await usedLedger()
    damage(file)
    const before = filesOf(file)
    for (const open of [() => createSqliteStore({ file }), () => pruneLedger(file, { beforeMs: 0, atMs: 0 })]) {
      const error = errorOf(open)
      expect(error).toMatchObject({ code, file })
      expect(error.message).toContain(file)
    }
    if (code !== 'ledger_read_only') expect(errorOf(() => verifyLedger(file))).toMatchObject({ code, file })
    expect(filesOf(file)).toEqual(before)
    chmodSync(dirname(file), 0o700)
  })

  it('that never existed is not created by verification', () => {
    const file = ledgerFile()
    expect(errorOf(() => verifyLedger(file))).toMatchObject({ code: 'ledger_missing', file })
    expect(readdirSync(dirname(file))).toEqual([])
  })

  it('with an unreadable row reports it when it is read, and continues with the others', async () => {
    const file = await usedLedger()
    editLedger(file, `UPDATE scopes SET limits = substr(limits, 2) WHERE id = 'team/run'`)
    const ledger = createContractLedger(openLedger(file))
    const spent = ledger.reserve('team/run', { tokens: 1 }, { reservationId: 'new' })
    await expect(spent).rejects.toMatchObject({ code: 'ledger_damaged', file })
    await expect(spent).rejects.toThrow(/row "team\/run" of scopes cannot be read/)
    expect(await ledger.reserve('team', { tokens: 1 }, { reservationId: 'newer' })).toMatchObject({ kind: 'granted' })
  })

  it('with a row that became unreadable is abandoned by the process that had it in memory, without locking others out', async () => {
    const file = await usedLedger()
    const ledger = createContractLedger(openLedger(file))
    await ledger.read('team/run')
    editLedger(
      file,
      `UPDATE scopes SET limits = '[', change = 9999 WHERE id = 'team/run'; UPDATE ledger SET change = 9999`,
    )
    await expect(ledger.read('team/run')).rejects.toMatchObject({ code: 'ledger_damaged', file })
    expect(await ledger.reserve('solo', { tokens: 1 }, { reservationId: 'new' })).toMatchObject({ kind: 'granted' })
    const other = createContractLedger(openLedger(file))
    expect(await other.reserve('solo', { tokens: 1 }, { reservationId: 'newer' })).toMatchObject({ kind: 'granted' })
  })
})

describe('a ledger that has lost its end', () => {
  /** A ledger that one process has open after another has spent on it and exited. */
  async function busyLedger(): Promise<string> {
    const file = await usedLedger()
    openLedger(file)
    const spender = createContractLedger(createSqliteStore({ file }))
    for (let call = 0; call < 20; call++) {
      await spender.reserve('team/run', { tokens: 1 }, { reservationId: `late ${call}` })
      await spender.settle(`late ${call}`)
    }
    await spender.store.dispose()
    return file
  }

  it('because an old copy was restored is refused', async () => {
    const file = await usedLedger()
    const old = readFileSync(file)
    const ledger = createContractLedger(openLedger(file))
    await ledger.close('team')
    await ledger.store.dispose()
    writeFileSync(file, old)
    const error = errorOf(() => openLedger(file))
    expect(error).toMatchObject({ code: 'ledger_lost_tail', file })
    expect(error.message).toContain('has 94 journal entries, but already had 95')
    expect(verifyLedger(file).problems[0]).toMatchObject({ place: 'journal', row: '94' })
  })

  it('because its log was removed is refused', async () => {
    const copy = copyLedger(await busyLedger(), ledgerFile())
    rmSync(`${copy}-wal`)
    expect(errorOf(() => openLedger(copy))).toMatchObject({ code: 'ledger_lost_tail', file: copy })
  })

  it('because its log was damaged is refused, wherever the damage is', async () => {
    const file = await busyLedger()
    const size = statSync(`${file}-wal`).size
    const copy = ledgerFile()
    for (let place = 40; place < size; place += Math.floor(size / 25)) {
      copyLedger(file, copy)
      flipBit(`${copy}-wal`, place * 8)
      expect(errorOf(() => openLedger(copy))).toMatchObject({ code: 'ledger_lost_tail', file: copy })
    }
  })

  it('is not assumed for a complete copy', async () => {
    const file = await busyLedger()
    const copy = copyLedger(file, ledgerFile())
    expect(verifyLedger(copy).problems).toEqual([])
    expect(await readAll(openLedger(copy))).toEqual(await readAll(openLedger(file)))
  })
})

describe('one bit', () => {
  it('at 300 places of a ledger is refused, found, or changes no sum', async () => {
    const file = await usedLedger()
    const truth = JSON.stringify(sumsOf(await readAll(openLedger(copyLedger(file, ledgerFile())))))
    // Only non-zero bytes: most of a small ledger is empty.
    const places = [...readFileSync(file).entries()].filter(([, byte]) => byte !== 0).map(([place]) => place)
    const counts = { refused: 0, found: 0, harmless: 0 }
    const silent: number[] = []
    let seed = 20_261_115
    const copy = ledgerFile()
    for (let flip = 0; flip < 300; flip++) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      const bit = places[seed % places.length]! * 8 + (flip % 8)
      copyLedger(file, copy)
      flipBit(copy, bit)
      const end = await endOf(copy, truth)
      if (end === 'silent') silent.push(bit)
      else counts[end]++
    }
    console.log(`300 bits: ${counts.refused} refused, ${counts.found} found by verify, ${counts.harmless} harmless`)
    expect(silent).toEqual([])
    expect(counts.refused).toBeGreaterThan(0)
    expect(counts.found).toBeGreaterThan(0)
  })
})

/** The effect of one wrong bit. `silent`: it is not noticed, and a sum is wrong. */
async function endOf(file: string, truth: string): Promise<'refused' | 'found' | 'harmless' | 'silent'> {
  const verified = resultOf(() => verifyLedger(file))
  const store = resultOf(() => createSqliteStore({ file }))
  if (store === null) return 'refused'
  const sums = await readAll(store).then((all) => JSON.stringify(sumsOf(all)), stintErrorOrThrow)
  await store.dispose()
  if (verified === null || !verified.ok) return 'found'
  return sums === truth ? 'harmless' : 'silent'
}

/** The result of an action; `null` if it was refused with our own error. Anything else is a bug. */
function resultOf<Result>(action: () => Result): Result | null {
  try {
    return action()
  } catch (error) {
    stintErrorOrThrow(error)
    return null
  }
}

function stintErrorOrThrow(error: unknown): string {
  if (!isStintError(error)) throw error
  return error.code
}

function sumsOf(scopes: Awaited<ReturnType<typeof readAll>>): unknown {
  return scopes.map(({ id, status, totals, limits }) => {
    return [
      id,
      status,
      totals,
      limits.map(({ limit, settled, reserved }) => [limit.meter, limit.max, settled, reserved]),
    ]
  })
}

function flipBit(file: string, bit: number): void {
  const bytes = readFileSync(file)
  bytes[bit >> 3]! ^= 1 << (bit & 7)
  writeFileSync(file, bytes)
}

function filesOf(file: string): readonly unknown[] {
  const folder = dirname(file)
  // A read-only process may leave an empty log behind.
  const names = readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name))
  return names.map((name) => [
    name,
    createHash('sha256')
      .update(readFileSync(`${folder}/${name}`))
      .digest('hex'),
  ])
}
