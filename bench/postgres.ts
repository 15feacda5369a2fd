// The Postgres store: npm run bench:postgres. Ratios of one run are judged; figures are printed.
import { startPostgres } from '../tests/setup/postgres-server.ts'
import { conclude } from './judge.ts'
import { compareGateways } from './postgres/compare-gateways.ts'
import { compareWithNaive } from './postgres/compare-with-naive.ts'
import { raceForTheLast } from './postgres/race-for-the-last.ts'
import { unrelatedRoot } from './postgres/unrelated-root.ts'

const HOW = `A server of its own on loopback, with synchronous commits. The naive client locks the scopes, decides, writes and commits
in a transaction for each reserve and each settle (five round trips, a connection for each caller). It keeps a counter and
a row for each call; no journal, no events, no windows, no holds. Stint keeps all of them.`

console.log(HOW)
const server = await startPostgres(['-c', 'max_connections=200'])
try {
  conclude([
    ...(await compareWithNaive(server.url)),
    ...(await raceForTheLast(server.url)),
    ...(await unrelatedRoot(server.url)),
    ...(await compareGateways(server.url)),
  ])
} finally {
  await server.remove()
}
