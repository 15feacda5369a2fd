// One measurement of the SQLite store of a checkout: node store-run.ts CHECKOUT FOLDER CALLERS MILLISECONDS [SCOPE]
// With a scope, the ledger in FOLDER is there already. Prints what was done and the CPU time that it took.
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openChain } from './open-chain.ts'
import { spend } from './spend.ts'

const [checkout = '.', folder = '', callers = '1', forMs = '1000', scope] = process.argv.slice(2)
const module = pathToFileURL(join(resolve(checkout), 'src/stores/sqlite/index.ts')).href
const { createSqliteStore } = (await import(module)) as typeof import('../src/stores/sqlite/index.ts')
const store = createSqliteStore({ file: join(folder, 'ledger.db') })
const scopeId = scope ?? (await openChain(store, 4))
// Warm, so that what is compiled once is not counted.
await spend(store, scopeId, Number(callers), 300)
const before = process.cpuUsage()
const { pairsPerSecond, milliseconds } = await spend(store, scopeId, Number(callers), Number(forMs))
const { user, system } = process.cpuUsage(before)
await store.dispose()
const pairs = milliseconds.length / 2
console.log(JSON.stringify({ pairsPerSecond, cpuMicrosPerPair: (user + system) / pairs }))
