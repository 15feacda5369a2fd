// One of several processes on a ledger: node store-process.ts FILE SCOPE. Prints what it got done.
import { createSqliteStore } from '../src/stores/sqlite/index.ts'
import { spend } from './spend.ts'

const [file = '', scopeId = ''] = process.argv.slice(2)
const store = createSqliteStore({ file })
const spent = await spend(store, scopeId, 16, 3_000)
await store.dispose()
console.log(JSON.stringify(spent))
