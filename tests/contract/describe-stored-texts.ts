import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { LedgerStore } from '../../src/core/index.ts'
import { createMemoryStore } from '../../src/stores/memory/index.ts'
import { createSqliteStore, verifyLedger } from '../../src/stores/sqlite/index.ts'
import { createDice } from '../../src/testing/store-contract/histories/dice.ts'
import { TEST_SEED } from '../setup/test-seed.ts'
import { oddTexts } from './odd-texts.ts'
import { TEXT_FIELDS, TEXT_LOOKUPS, type UseText } from './text-fields.ts'

// Each lookup reads a whole table.
const LOOKED_FOR = 200
const AT_ONCE = 250

const folder = mkdtempSync(join(tmpdir(), 'stint-texts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Opens something as on a Node without SQLite of its own. */
function withLibsql<Opened>(open: () => Opened): Opened {
  const { getBuiltinModule } = process
  process.getBuiltinModule = (() => undefined) as typeof process.getBuiltinModule
  try {
    return open()
  } finally {
    process.getBuiltinModule = getBuiltinModule
  }
}

const libraries = [
  { name: 'node:sqlite', using: <Opened>(open: () => Opened): Opened => open() },
  { name: 'libsql', using: withLibsql },
]

/** What a store says to all texts in one of its fields, in their order. */
async function answersOf(store: LedgerStore, texts: readonly string[], use: UseText): Promise<readonly string[]> {
  const answers: string[] = []
  for (let from = 0; from < texts.length; from += AT_ONCE) {
    const some = texts.slice(from, from + AT_ONCE).map(async (text, offset) => {
      try {
        return JSON.stringify(await use(store, text, `scope ${from + offset}`))
      } catch (error) {
        return String(error)
      }
    })
    answers.push(...(await Promise.all(some)))
  }
  return answers
}

/** Odd texts in every field that holds one, stored by either library, against the memory store. */
export function describeStoredTexts(most: number): void {
  describe.each(libraries)(`with $name, ${most} odd texts in every field that holds one`, ({ name, using }) => {
    it('leave a ledger that opens, verifies and answers as the memory store does', async () => {
      const file = join(folder, `${name.replaceAll(':', '-')}.db`)
      const memory = createMemoryStore({ finishedReservationsKept: 2 ** 30, closedScopesKept: 2 ** 30 })
      const store = using(() => createSqliteStore({ file, maxBatch: AT_ONCE }))
      const texts = oddTexts(createDice(TEST_SEED), most)
      const compare = async (field: string, use: UseText, used: readonly string[]): Promise<void> => {
        const expected = await answersOf(memory, used, use)
        const answers = await answersOf(store, used, use)
        const differing = answers.flatMap((answer, at) =>
          answer === expected[at] ? [] : [[used[at], answer, expected[at]]],
        )
        expect(differing.slice(0, 3), field).toEqual([])
      }
      for (const [field, use] of Object.entries(TEXT_FIELDS)) await compare(field, use, texts)
      for (const [field, use] of Object.entries(TEXT_LOOKUPS)) await compare(field, use, texts.slice(0, LOOKED_FOR))
      await store.dispose()
      expect(using(() => verifyLedger(file)).problems).toEqual([])
      const again = using(() => createSqliteStore({ file }))
      const all = { standing: 'all', most: 100_000, atMs: Date.UTC(2026, 10, 17, 12) } as const
      expect(await again.list(all)).toEqual(await memory.list(all))
      expect(await again.holders()).toEqual(await memory.holders())
      await again.dispose()
    }, 1_200_000)
  })
}
