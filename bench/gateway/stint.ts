// Stint's gateway with its accounts in SQLite: node --expose-gc stint.ts PROVIDER_PORT LEDGER_FILE. One run, one key.

import { startGateway } from '../../src/gateway/index.ts'
import { createGovernor } from '../../src/governor/index.ts'
import { createSqliteStore } from '../../src/stores/sqlite/index.ts'

const [port, file = ''] = process.argv.slice(2)
const store = createSqliteStore({ file })
const governor = createGovernor({ store })
const team = await governor.budget('team:bench', { limits: { cost: 900_000 } })
const run = await governor.open({ name: 'bench', within: team, limits: { cost: 800_000, toolCalls: 900_000_000 } })
const gateway = await startGateway({
  upstreams: { openai: { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: null } },
  admission: { scopeOf: async (key) => (key === 'bench' ? run : null) },
})
process.send?.({ port: gateway.port })
process.on('message', () => {
  globalThis.gc?.()
  globalThis.gc?.()
  process.send?.({ residentBytes: process.memoryUsage().rss, heapBytes: process.memoryUsage().heapUsed })
})
process.on('disconnect', () => process.exit())
