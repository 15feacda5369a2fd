import { createGovernor } from '../../src/governor/index.ts'
import { createSqliteStore } from '../../src/stores/sqlite/index.ts'
import { describeHolder } from '../../src/system/index.ts'

// A process in a container that has reserved most of a budget on a shared ledger, and lives until it is killed:
// `container-worker.ts FILE here|elsewhere`. `elsewhere`: its holder names another pid namespace, for machines where
// none can be made.

const [file, where] = process.argv.slice(2) as [string, 'here' | 'elsewhere']
const [host, , ...rest] = describeHolder().split('/')
const holder = where === 'here' ? describeHolder() : [host, '4026500000', ...rest].join('/')
const governor = createGovernor({ store: createSqliteStore({ file }), holder })
setInterval(() => {}, 60_000)

const team = await governor.budget('team', { limits: { tokens: 100, concurrency: 1 } })
const run = await governor.open({ name: 'run', id: 'job-1', within: team })
const room = await run.reserve({ tokens: 90 })
process.stdout.write(`${JSON.stringify({ kind: room.kind, holder, pid: process.pid })}\n`)
