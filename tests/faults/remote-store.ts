// A store in a process of its own: node remote-store.ts LEDGER [libsql], with a file or the address of a database. A line
// of input is an operation with its requests, all made at once; a line of output has their outcomes.
import { createInterface } from 'node:readline'
import { createPostgresStore } from '../../src/stores/postgres/index.ts'
import { createSqliteStore } from '../../src/stores/sqlite/index.ts'
import { describeHolder } from '../../src/system/index.ts'
import type { RemoteOrder, SpendRequest } from './start-remote-store.ts'

// As on a Node without SQLite of its own.
if (process.argv[3] === 'libsql') process.getBuiltinModule = (() => undefined) as typeof process.getBuiltinModule
const ledger = process.argv[2] ?? ''
const store = ledger.startsWith('postgres://')
  ? createPostgresStore({ url: ledger, busyMs: 60_000, connections: 2 })
  : createSqliteStore({ file: ledger, busyMs: 60_000 })
const holder = describeHolder()
console.log(JSON.stringify(holder))

/** One caller: a call after the other, and a look in between. Returns how many were settled. */
async function spend(request: unknown): Promise<number> {
  const { scopeId, calls, name } = request as SpendRequest
  for (let call = 0; call < calls; call++) {
    const reservationId = `${holder} ${name} ${call}`
    await store.reserve({ reservationId, scopeId, amounts: { tokens: 3 }, holder, atMs: Date.now() })
    if (call % 5 === 0) await store.read({ scopeId, atMs: Date.now() })
    const { kind } = await store.settle({ reservationId, actual: { tokens: 2 }, atMs: Date.now() })
    if (kind !== 'settled') return call
  }
  return calls
}

for await (const line of createInterface({ input: process.stdin })) {
  const { operation, requests } = JSON.parse(line) as RemoteOrder
  const run = operation === 'spend' ? spend : (store[operation] as (request: unknown) => Promise<unknown>)
  const outcomes = requests.map((request) => run(request))
  console.log(JSON.stringify(await Promise.all(outcomes)))
}
await store.dispose()
