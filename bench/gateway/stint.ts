// Stint's gateway with its accounts in SQLite or Postgres: node --expose-gc stint.ts PROVIDER_PORT LEDGER, a file or the
// address of a database. Each key that begins with `bench` is a run of its own.
import { startGateway } from '../../src/gateway/index.ts'
import { createGovernor, type Scope } from '../../src/governor/index.ts'
import { createPostgresStore } from '../../src/stores/postgres/index.ts'
import { createSqliteStore } from '../../src/stores/sqlite/index.ts'
import { answerQuestions } from './answer-questions.ts'

const [providerPort, ledger = ''] = process.argv.slice(2)
const isAddress = ledger.startsWith('postgres://')
const store = isAddress ? createPostgresStore({ url: ledger }) : createSqliteStore({ file: ledger })
const governor = createGovernor({ store })
const team = await governor.budget('team:bench', { limits: { cost: 900_000 } })
const limits = { cost: 800_000, toolCalls: 900_000_000 }
const runs = new Map<string, Promise<Scope>>()

async function scopeOf(key: string): Promise<Scope | null> {
  if (!key.startsWith('bench')) return null
  const run = runs.get(key) ?? governor.open({ name: key, within: team, limits })
  runs.set(key, run)
  return run
}

const { port } = await startGateway({
  upstreams: { openai: { baseUrl: `http://127.0.0.1:${providerPort}/v1`, apiKey: null } },
  admission: { scopeOf },
})
answerQuestions(port)
