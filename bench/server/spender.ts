// Spends in a ledger from a process of its own, at a fixed rate: node spender.ts LEDGER_FILE SCOPES.
import { createSqliteStore } from '../../src/stores/sqlite/index.ts'
import { CHARGED, RESERVED } from '../spend.ts'

/** How many changes to make, and how many a second: each call is reserved and settled, which are two. */
export interface SpenderQuestion {
  readonly changes: number
  readonly perSecond: number
}

const STEP_MS = 20
const [file = '', scopes = ''] = process.argv.slice(2)
const store = createSqliteStore({ file })
const count = Number(scopes)
await store.open({
  parentId: null,
  scopes: [{ id: 'team:bench', name: 'team:bench', kind: 'lasting', owner: null, limits: [] }],
  atMs: Date.now(),
})
const runs = Array.from({ length: count }, (_, place) => `run-${place}`)
await store.open({
  parentId: 'team:bench',
  scopes: runs.map((id) => ({ id, name: id, kind: 'agent', owner: 'bench', limits: [] })),
  atMs: Date.now(),
})
let calls = 0

async function call(): Promise<void> {
  const reservationId = `${process.pid}-${++calls}`
  const scopeId = runs[calls % runs.length]!
  await store.reserve({ reservationId, scopeId, amounts: RESERVED, holder: 'bench', atMs: Date.now() })
  await store.settle({ reservationId, actual: CHARGED, atMs: Date.now() })
}

/** Makes the changes in even steps, and says how many it made a second. */
async function spend({ changes, perSecond }: SpenderQuestion): Promise<number> {
  const startedAt = performance.now()
  const underway: Promise<void>[] = []
  for (let made = 0; made < changes; ) {
    const due = Math.min(changes, Math.floor(((performance.now() - startedAt) / 1_000) * perSecond))
    for (; made < due; made += 2) underway.push(call())
    await new Promise((resolve) => setTimeout(resolve, STEP_MS))
  }
  await Promise.all(underway)
  return changes / ((performance.now() - startedAt) / 1_000)
}

// A holder that is not heard of for a minute is declared dead.
setInterval(() => void store.beat({ holder: 'bench', atMs: Date.now() }), 5_000).unref()

process.on('message', (asked: SpenderQuestion) => {
  spend(asked).then((perSecond) => process.send?.({ perSecond }))
})
process.on('disconnect', () => process.exit())
process.send?.({ port: 0 })
