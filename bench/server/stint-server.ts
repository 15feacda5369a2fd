// The server with its gateway: node --expose-gc stint-server.ts PROVIDER_PORT LEDGER_FILE.
import { startGateway } from '../../src/gateway/index.ts'
import { createGovernor } from '../../src/governor/index.ts'
import { createMetrics } from '../../src/observe/metrics/index.ts'
import { createApiServer } from '../../src/server/create-server.ts'
import { createSqliteStore } from '../../src/stores/sqlite/index.ts'
import { answerQuestions } from '../gateway/answer-questions.ts'

const [providerPort, file = ''] = process.argv.slice(2)
const store = createSqliteStore({ file })
const governor = createGovernor({ store })
const run = await governor.open({ name: 'asked', limits: { cost: 800_000, toolCalls: 900_000_000 } })
const api = createApiServer({
  store,
  metrics: createMetrics({ store, nowMs: Date.now }),
  version: 'bench',
  userName: 'bench',
  upstreams: ['openai'],
  ceilings: [],
  tasksFolder: 'none',
  pagesFolder: null,
  starter: {
    agents: null,
    start: () => Promise.reject(new Error('off')),
    resume: () => Promise.reject(new Error('off')),
  },
  isHolderAlive: () => true,
  nowMs: Date.now,
  onFault: (error) => console.error(error),
})
const { port } = await startGateway({
  upstreams: { openai: { baseUrl: `http://127.0.0.1:${providerPort}/v1`, apiKey: null } },
  admission: { scopeOf: async (key) => (key === 'bench' ? run : null) },
  otherRequests: api,
})
api.listensOn({ host: '127.0.0.1', port, allowedHosts: [], isEncrypted: false, proxyName: null, isLocal: true })
answerQuestions(port)
