// D7 at the wire: node scripts/spend-through-gateway.ts [CALLS=100000] [IN_FLIGHT=200]. The provider always writes its
// whole cap; the ledger is a file. Fails if anything was overspent, or less than 99 % of the budget used.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { startGateway } from '../src/gateway/index.ts'
import { createGovernor } from '../src/governor/index.ts'
import { createSqliteStore } from '../src/stores/sqlite/index.ts'
import { createScriptedProvider, emitWholeCap } from '../src/testing/provider/index.ts'

const [calls = 100_000, inFlight = 200] = process.argv.slice(2).map(Number)
const KEY = 'spend'
const BODY = JSON.stringify({
  model: 'claude-sonnet-4-5',
  max_tokens: 60,
  messages: [{ role: 'user', content: 'hi' }],
})

const folder = mkdtempSync(join(tmpdir(), 'stint-spend-'))
const provider = await createScriptedProvider({ script: emitWholeCap(), maxKeptRequests: 1 })
const governor = createGovernor({ store: createSqliteStore({ file: join(folder, 'ledger.db') }) })
// About half of the calls fit, so that the other half meets a budget that is spent.
const limitUsd = Math.round(calls * 0.45) / 1_000
const run = await governor.open({ name: 'spend', limits: { cost: limitUsd } })
const gateway = await startGateway({
  upstreams: { anthropic: { baseUrl: provider.url, apiKey: 'made-up' } },
  admission: { scopeOf: async (key) => (key === KEY ? run : null) },
})
const pool = new Pool(gateway.url, { connections: inFlight })
const statuses = new Map<number, number>()
let left = calls

async function caller(): Promise<void> {
  while (left-- > 0) {
    const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
    const path = `/k/${KEY}/anthropic/v1/messages`
    const { statusCode, body } = await pool.request({ method: 'POST', path, headers, body: BODY })
    await body.dump()
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
  }
}

const startedAtMs = performance.now()
await Promise.all(Array.from({ length: inFlight }, caller))
const seconds = (performance.now() - startedAtMs) / 1_000
await pool.close()
await gateway.close()
const { cost } = await run.usage()
const { costNanoUsd, outcomes } = provider.book()
await governor.close()
await provider.close()
rmSync(folder, { recursive: true, force: true })

const limitNanoUsd = Math.round(limitUsd * 1_000_000_000)
const share = cost.settled / limitNanoUsd
console.log(
  `${calls} calls, ${inFlight} in flight, ${seconds.toFixed(1)} s: ${JSON.stringify(Object.fromEntries(statuses))}`,
)
console.log(`ledger ${cost.settled}, book of the provider ${costNanoUsd}, limit ${limitNanoUsd} nano-USD`)
console.log(`used ${(share * 100).toFixed(2)} %, overspent ${Math.max(0, cost.settled - limitNanoUsd)}`)
const isExact = cost.settled === costNanoUsd && cost.reserved === 0 && statuses.get(200) === outcomes.answered
if (!isExact || share > 1 || share <= 0.99) process.exitCode = 1
