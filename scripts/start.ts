import { once } from 'node:events'
import { openDashboard } from './dashboard/open-dashboard.ts'

// `npm start`: the dashboard on a ledger of its own, with a made-up team that works until Ctrl-C.
const stopping = new AbortController()
// More than once where npm and the terminal both tell us: the end is in order, and bounded.
const stop = (): void => stopping.abort()
// A terminal that is closed ends it too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)

const say = (text: string): void => void process.stdout.write(`${text}\n`)

say('Making up a team, and a day of its work …')
const dashboard = await openDashboard(stopping.signal, Number(process.env.PORT ?? 0))
try {
  say('')
  say(`The dashboard is at ${dashboard.signIn}`)
  say('The link works once, for 5 minutes. No key and no network is used; the limits and the ledger are real.')
  say('Press Ctrl-C to end. Nothing stays behind.')
  if (!stopping.signal.aborted) await Promise.race([once(stopping.signal, 'abort'), dashboard.failed])
} finally {
  await dashboard.close()
}
