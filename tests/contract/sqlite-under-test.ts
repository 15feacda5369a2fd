import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LedgerStore } from '../../src/core/index.ts'
import { createSqliteStore } from '../../src/stores/sqlite/index.ts'
import type { StoreUnderTest } from '../../src/testing/store-contract/store-under-test.ts'

/** A folder, and ledgers in it. */
export interface SqliteUnderTest extends Required<StoreUnderTest> {
  remove(): void
}

export function createSqliteUnderTest(): SqliteUnderTest {
  const folder = mkdtempSync(join(tmpdir(), 'stint-contract-'))
  const fileOf = new WeakMap<LedgerStore, string>()
  let ledgers = 0

  function open(file: string): LedgerStore {
    const store = createSqliteStore({ file })
    fileOf.set(store, file)
    return store
  }

  return {
    createStore: () => open(join(folder, `${++ledgers}.db`)),
    async reopen(store) {
      await store.dispose()
      return open(fileOf.get(store)!)
    },
    second: (store) => open(fileOf.get(store)!),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
