import { copyFileSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import type { LedgerStore, ScopeReading } from '../../core/index.ts'
import { limitFixture } from '../../core/limits/limit.fixture.ts'
import { createContractLedger } from '../../testing/store-contract/contract-ledger.ts'
import { createSqliteStore, type SqliteStoreOptions } from './create-sqlite-store.ts'
import { highWaterFileOf } from './database/index.ts'

/** The time of everything in these ledgers. */
export const NOON = Date.UTC(2026, 10, 15, 12)

/** A path for a new ledger, in a folder that is removed when the test ends. */
export function ledgerFile(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stint-ledger-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'ledger.db')
}

/** Opens a ledger; closed when the test ends. */
export function openLedger(file: string, options: Partial<SqliteStoreOptions> = {}): LedgerStore {
  const store = createSqliteStore({ file, ...options })
  onTestFinished(() => store.dispose())
  return store
}

let template: Promise<ReadonlyMap<string, Buffer>> | null = null

/** A ledger with two trees and something of everything, as a process has left it. */
export async function usedLedger(): Promise<string> {
  template ??= makeTemplate()
  const file = ledgerFile()
  for (const [suffix, bytes] of await template) writeFileSync(`${file}${suffix}`, bytes)
  return file
}

// Created once: a process leaves two files behind.
async function makeTemplate(): Promise<ReadonlyMap<string, Buffer>> {
  const file = ledgerFile()
  const store = createSqliteStore({ file })
  await useLedger(store, 20)
  await store.dispose()
  return new Map(['', highWaterFileOf('')].map((suffix) => [suffix, readFileSync(`${file}${suffix}`)]))
}

/** Something of everything: limits, windows, holds, calls in every state, a pause, a question, an orphan. */
async function useLedger(store: LedgerStore, calls: number): Promise<void> {
  const ledger = createContractLedger(store)
  const hold = { wanted: { tokens: 100 }, smallest: { tokens: 10 } }
  await ledger.open('team', [limitFixture('cost', 9_000, { per: 'day' }), limitFixture('tokens', 90_000)])
  const ceilings = [limitFixture('tokens', 60_000, { source: { layer: 'ceiling', written: 'tokens' } })]
  await ledger.open('team/run', [limitFixture('tokens', 50_000), limitFixture('toolCalls', 500)], { ceilings })
  await ledger.open('team/run/agent', [limitFixture('modelCalls', 900)], { hold })
  await ledger.open('team/old', [limitFixture('tokens', 1_000)])
  await ledger.open('solo', [limitFixture('tokens', 5_000)], { owner: 'dead' })
  const about = { call: 'model', name: 'a-model', provider: 'anthropic' } as const
  const result = { ending: 'answered', usage: { inputTokens: 30, cacheReadTokens: 500 }, price: 'table' } as const
  for (let call = 0; call < calls; call++) {
    const [reservationId, amounts] = [`turn ${call}`, { tokens: 10 + call, modelCalls: 1, cost: 3 }]
    await ledger.reserve('team/run/agent', amounts, { reservationId, ...(call === 7 ? { about } : {}) })
    await ledger.settle(reservationId, { actual: amounts, ...(call === 7 ? { result } : {}) })
    await ledger.spend('team/old', { tokens: 1, toolCalls: 1 })
  }
  await ledger.reserve('team/run', { tokens: 77, cost: 5 }, { reservationId: 'in flight' })
  await ledger.reserve('team/run', { toolCalls: 1 }, { reservationId: 'given back' })
  await store.release({ reservationId: 'given back', atMs: NOON })
  await ledger.reserve('solo', { tokens: 40 }, { reservationId: 'orphan', holder: 'dead' })
  await store.assume({ holder: 'dead', atMs: NOON })
  await ledger.ask('team/run', 'toolCalls', 50, { requestId: 'more' })
  await ledger.pause('team/run/agent', { document: 'what it needs to go on', activeMs: 1_234 })
  await ledger.close('team/old')
}

/** Every scope of a ledger as it reads at noon. */
export async function readAll(store: LedgerStore): Promise<readonly ScopeReading[]> {
  return store.list({ standing: 'all', atMs: NOON })
}

/** Edits a ledger file directly, without its constraints. */
export function editLedger(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  try {
    const triggers = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all()
    const dropped = triggers.map(({ name }) => `DROP TRIGGER ${name}`)
    const parts = ['PRAGMA ignore_check_constraints = ON', ...dropped, sql, ...triggers.map((trigger) => trigger.sql)]
    database.exec(parts.join(';'))
  } finally {
    database.close()
  }
}

/** The value in a row. */
export function valueIn(file: string, sql: string): unknown {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return Object.values(database.prepare(sql).get() ?? {})[0]
  } finally {
    database.close()
  }
}

/** A copy of a ledger with its companion files, as a backup or a crash leaves it. */
export function copyLedger(from: string, to: string): string {
  for (const suffix of ['', '-wal', highWaterFileOf('')]) {
    rmSync(`${to}${suffix}`, { force: true })
    if (existsSync(`${from}${suffix}`)) copyFileSync(`${from}${suffix}`, `${to}${suffix}`)
  }
  rmSync(`${to}-shm`, { force: true })
  return to
}

/** What an action throws. */
export function errorOf(action: () => unknown): Error {
  try {
    action()
  } catch (error) {
    return error as Error
  }
  throw new Error('It did not throw.')
}
