import { ShareBars } from '../../charts/share-bars.tsx'
import { TimeChart } from '../../charts/time-chart.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Panel } from '../../components/panel.tsx'
import { useAnswer } from '../../data/use-answer.ts'
import { dayText, hourText } from '../../format/time-text.ts'
import { type Span, timesOf } from './span.ts'

const ACTIONS = [
  ['terminate', 'ended', '--series-4'],
  ['pause', 'paused', '--series-3'],
  ['ask', 'asked', '--series-5'],
  ['warn', 'warned', '--series-7'],
] as const
const EVERY_MS = 30_000
const DAY_MS = 86_400_000

/** How often limits were reached, hour by hour, and what they did. */
export function LimitHits({ span, now }: { readonly span: Span; readonly now: number }) {
  const { value, problem } = useAnswer('GET /api/reports/limits', { query: { sinceMs: span.sinceMs } }, EVERY_MS)
  const times = timesOf(span, now)
  const runs = times.map(() => 0)
  for (const hour of value?.hours ?? []) {
    const index = times.findLastIndex((time) => time <= hour.hourMs)
    if (index >= 0) runs[index] = (runs[index] ?? 0) + hour.runs
  }
  const isEmpty = value !== null && value.meters.length === 0
  const count = ACTIONS.reduce((sum, [action]) => sum + (value?.actions[action] ?? 0), 0)
  const perHour = span.step === 'hour' ? 'per hour' : 'per day'
  return (
    <>
      <Panel title={`Runs at their limits ${perHour}`} class="two-thirds">
        <div class="body">
          {problem !== null && <p class="soft">{problem}</p>}
          {isEmpty ? (
            <EmptyState
              title="No run reached a limit"
              command='npx stint run developer "add a --json flag" --limit turns=25'
            >
              Runs that end, pause or ask at a limit are counted here.
            </EmptyState>
          ) : (
            <TimeChart
              caption={`Runs at their limits ${perHour}`}
              content={{
                times,
                series: [{ key: 'runs', name: 'Runs', color: '--series-4', values: runs }],
                timeText: now - span.sinceMs > DAY_MS ? dayText : hourText,
                valueText: String,
                isCount: true,
              }}
            />
          )}
        </div>
      </Panel>
      <Panel title="What limits did" count={count} class="third">
        <div class="body">
          {isEmpty ? (
            <EmptyState title="Nothing yet">
              A limit ends a run, pauses it, asks for more or only warns: <code>cost=1:ask</code> says which.
            </EmptyState>
          ) : (
            <ShareBars
              isWhole
              shares={ACTIONS.map(([action, name, color]) => {
                const hits = value?.actions[action] ?? 0
                return { key: action, name, value: hits, text: String(hits), color }
              })}
            />
          )}
        </div>
      </Panel>
    </>
  )
}
