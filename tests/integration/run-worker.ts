import { createInterface } from 'node:readline'
import { isStintError } from '../../src/core/index.ts'
import { createGovernor } from '../../src/governor/index.ts'
import { createSqliteStore } from '../../src/stores/sqlite/index.ts'

// A process that begins, resumes or reopens a run on a ledger, tells what came of it, and then lives until it is
// killed: `run-worker.ts FILE begin|pause|resume|open`. One that resumes first tells that it is ready, and waits for a
// line, so that many can try at the same moment.

const RUN = { name: 'run', id: 'job-1', limits: { toolCalls: 10, time: '1h' } } as const

const [file, order] = process.argv.slice(2) as [string, 'begin' | 'pause' | 'resume' | 'open']
const governor = createGovernor({ store: createSqliteStore({ file }) })
const tell = (news: unknown): boolean => process.stdout.write(`${JSON.stringify(news)}\n`)
// Also keeps the process alive.
const lines = createInterface({ input: process.stdin })

if (order === 'resume') {
  const run = await governor.find(RUN.id)
  tell({ kind: 'ready' })
  lines.once('line', async () => {
    try {
      tell({ kind: 'won', conversation: await run!.resume() })
    } catch (error) {
      tell({ kind: 'lost', code: isStintError(error) ? error.code : String(error) })
    }
  })
} else {
  const run = await governor.open(RUN)
  await run.callTool({ name: 'read' }, () => 1)
  if (order === 'pause') await run.pause({ conversation: ['so far'] })
  const { toolCalls } = await run.usage()
  tell({ kind: 'done', status: run.status(), toolCalls: toolCalls.settled })
}
