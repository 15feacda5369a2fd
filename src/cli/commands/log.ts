import { type EventName, type HistoryEntry, isEnded } from '../../core/index.ts'
import { findScope } from '../../operate/find/find-scope.ts'
import { entryView } from '../../operate/history/entry-view.ts'
import { everyRoot, readLog, readOn } from '../../operate/history/read-log.ts'
import type { Operator } from '../../operate/operator.ts'
import { sleep } from '../../system/index.ts'
import type { CommandContext } from '../command-context.ts'
import { durationFromText } from '../flags/duration-from-text.ts'
import { logLine } from '../history/log-line.ts'
import type { Report } from '../output/report.ts'

export interface LogFlags {
  readonly follow?: boolean
  readonly since?: string
  readonly alerts?: boolean
}

const ALERTS: readonly EventName[] = ['alert_raised']

const MOST_SHOWN = 10_000
const DEFAULT_SINCE = '1h'
const LOOK_EVERY_MS = 500

/** `stint log`: what happened, in order; with `--follow` also what happens from now on, in any process. */
export async function showLog(context: CommandContext, id: string | null, flags: LogFlags): Promise<Report> {
  const { platform } = context
  const operator = await context.operator()
  const scope = id === null ? null : await findScope(operator, id)
  const sinceMs = startOf(platform.nowMs(), scope === null, flags)
  const write = (entries: readonly HistoryEntry[]): void => {
    for (const entry of entries) platform.writeOut(`${lineOf(context, entry)}\n`)
  }
  // Taken before reading: what happens in the meantime is found by the first poll.
  const { cursor } = await operator.store.changed({ since: null })
  const kinds = flags.alerts === true ? { kinds: ALERTS } : {}
  const log = await readLog(operator, { scopeId: scope?.id ?? null, sinceMs, most: MOST_SHOWN, ...kinds })
  write(log.entries)
  if (flags.follow === true) {
    const positions = new Map(log.positions.map(({ rootId, cursor: at }) => [rootId, at]))
    await follow(context, operator, { scopeId: scope?.id ?? null, sinceMs, positions, cursor, write, ...kinds })
  }
  const notices = log.isTruncated ? [`Only the last ${MOST_SHOWN.toLocaleString('en-US')} events are shown.`] : []
  if (log.entries.length > 0 || flags.follow === true || context.isJson) return { json: null, text: null, notices }
  return {
    json: null,
    text: `${flags.alerts === true ? 'There were no alerts' : 'Nothing happened'}${scope === null ? ` in the last ${flags.since ?? DEFAULT_SINCE}` : ''}.`,
  }
}

/** For one scope everything, for the whole ledger the last hour, unless the flag says otherwise. */
function startOf(nowMs: number, isWholeLedger: boolean, { since, follow = false }: LogFlags): number {
  if (since !== undefined) return nowMs - durationFromText('--since', since, 'how long ago, e.g. 1h or 7d')
  if (follow && isWholeLedger) return nowMs
  return isWholeLedger ? nowMs - durationFromText('--since', DEFAULT_SINCE, 'how long ago') : 0
}

interface Following {
  readonly scopeId: string | null
  /** What is older is not shown, also of trees that change again. */
  readonly sinceMs: number
  readonly positions: Map<string, number>
  readonly cursor: number
  readonly kinds?: readonly EventName[]
  write(entries: readonly HistoryEntry[]): void
}

async function follow(context: CommandContext, operator: Operator, following: Following): Promise<void> {
  const { scopeId, sinceMs, positions, kinds, write } = following
  const { store, nowMs } = operator
  const stopping = new AbortController()
  const callOff = context.platform.onStop(() => stopping.abort())
  let { cursor } = following
  try {
    while (!stopping.signal.aborted) {
      const changed = await store.changed({ since: cursor })
      cursor = changed.cursor
      for (const rootId of changed.roots ?? (await everyRoot(operator, sinceMs, positions.keys()))) {
        const since = positions.get(rootId)
        if (since === undefined) {
          if (scopeId !== null) continue
          // New; or it had ended before, and something changed since: a late settlement, or a pruning.
          const closedAtMs = (await store.read({ scopeId: rootId, atMs: nowMs() }))?.[0]?.closedAtMs ?? null
          const fromMs = closedAtMs === null || closedAtMs >= sinceMs ? 0 : sinceMs
          const log = await readLog(operator, {
            scopeId: rootId,
            sinceMs: fromMs,
            most: MOST_SHOWN,
            ...(kinds === undefined ? {} : { kinds }),
          })
          for (const { cursor: at } of log.positions) positions.set(rootId, at)
          write(log.entries)
          continue
        }
        const { entries, cursor: at, isReset } = await readOn(operator, scopeId ?? rootId, since, kinds)
        if (isReset) context.platform.writeError('stint: older events were pruned; the log continues from now.\n')
        positions.set(rootId, at)
        write(entries)
      }
      const scope = scopeId === null ? null : (await store.read({ scopeId, atMs: nowMs() }))?.at(-1)
      if (scope === undefined || (scope !== null && isEnded(scope.status))) return
      await sleep(LOOK_EVERY_MS, stopping.signal)
    }
  } finally {
    callOff()
  }
}

function lineOf(context: CommandContext, entry: HistoryEntry): string {
  return context.isJson ? JSON.stringify(entryView(entry)) : logLine(entry, context)
}
