import { SparkBars } from '../../charts/spark-bars.tsx'
import { Figure, Figures } from '../../components/figures.tsx'
import type { Live } from '../../data/live.ts'
import { isUnfinished } from '../../data/live-tree.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { useStore } from '../../data/use-store.ts'
import { moneyText } from '../../format/amount-text.ts'
import { spendOfDay } from './spend-of-day.ts'

const EVERY_MS = 10_000

/** The state of everything in four numbers. */
export function LiveFigures({ live }: { readonly live: Live }) {
  useStore(live.changes)
  const waiting = useStore(live.requests).length
  const day = spendOfDay(Date.now())
  const { value } = useAnswer('GET /api/reports/spend', { query: { by: 'hour', sinceMs: day.sinceMs } }, EVERY_MS)
  const { running, paused } = countAgents(live)
  const { today, hours } = day.sum(value?.rows ?? [])
  return (
    <Figures>
      <Figure name="Agents running" value={String(running)} />
      <Figure name="Paused" value={String(paused)} />
      <Figure name="Waiting for an answer" value={String(waiting)} />
      <Figure name="Spent today" value={value === null ? '–' : moneyText(today)}>
        {value !== null && <SparkBars values={hours} />}
      </Figure>
    </Figures>
  )
}

function countAgents({ tree }: Live): { readonly running: number; readonly paused: number } {
  let running = 0
  let paused = 0
  for (const scope of tree.scopes.values()) {
    if (scope.kind !== 'agent' || !isUnfinished(scope)) continue
    if (scope.status === 'paused') paused++
    else running++
  }
  return { running, paused }
}
