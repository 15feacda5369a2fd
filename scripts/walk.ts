// What one call walks through, by V8's coverage of one warm call: npm run walk [-- --files] [--json].
// Exits 1 where a walk is longer than it may be.
import { parseArgs } from 'node:util'
import { walkGatewayRequest } from './walk/gateway-request.ts'
import { walkModelCall } from './walk/model-call.ts'
import { walkRunTurn } from './walk/run-turn.ts'
import { describeWalk, medianLines } from './walk/walk.ts'

const MOST_MEDIAN_LINES = 75
const WALKS = [
  { name: 'callModel in memory', most: 110, take: walkModelCall },
  { name: 'a streamed request through the gateway', most: 300, take: walkGatewayRequest },
  { name: 'a turn of stint run', most: 330, take: walkRunTurn },
]

const { values } = parseArgs({ options: { files: { type: 'boolean' }, json: { type: 'boolean' } } })

const walks = []
for (const { name, most, take } of WALKS) walks.push({ name, most, visits: await take() })

if (values.json === true) console.log(JSON.stringify(walks, null, 2))
else for (const { name, most, visits } of walks) console.log(describeWalk(name, most, visits, values.files === true))

const isTooLong = walks.some(({ most, visits }) => visits.length > most || medianLines(visits) >= MOST_MEDIAN_LINES)
process.exit(isTooLong ? 1 : 0)
