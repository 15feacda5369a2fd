import { TimeChart } from '../../charts/time-chart.tsx'
import { Figure, Figures } from '../../components/figures.tsx'
import { Panel } from '../../components/panel.tsx'
import { useAnswer } from '../../data/use-answer.ts'
import { moneyText, shortCount } from '../../format/amount-text.ts'
import { dayText, hourText } from '../../format/time-text.ts'
import type { Place } from '../../router/route.ts'
import { NothingSpent } from './nothing-spent.tsx'
import { type Span, timesOf } from './span.ts'
import { groupOf } from './spend-groups.ts'
import { spendSeries } from './spend-series.ts'

const EVERY_MS = 10_000

interface SpendOverTimeProps {
  readonly span: Span
  readonly now: number
  readonly place: Place
  readonly nameOf: (key: string) => string
}

/** The totals of a span, and its spend per hour or day by the chosen group. */
export function SpendOverTime({ span, now, place, nameOf }: SpendOverTimeProps) {
  const by = groupOf(place)
  const { value, problem } = useAnswer('GET /api/reports/spend', { query: { by, sinceMs: span.sinceMs } }, EVERY_MS)
  const times = timesOf(span, now)
  const { calls = 0, totals = {} } = value?.total ?? {}
  const title = span.step === 'hour' ? 'Per hour' : 'Per day'
  return (
    <>
      <Figures>
        <Figure name="Spent" value={value === null ? '–' : moneyText(totals.costNanoUsd ?? 0)} />
        <Figure name="Tokens" value={value === null ? '–' : shortCount(totals.tokens ?? 0)} />
        <Figure name="Calls" value={value === null ? '–' : shortCount(calls)} />
        <Figure
          name={`${title}, on average`}
          value={value === null ? '–' : moneyText(Math.round((totals.costNanoUsd ?? 0) / times.length))}
        />
      </Figures>
      <Panel title={`${title} by ${by}`} class="wide">
        <div class="body">
          {problem !== null && <p class="soft">{problem}</p>}
          {value !== null && calls === 0 ? (
            <NothingSpent />
          ) : (
            <TimeChart
              caption={`Spend ${title.toLowerCase()}`}
              content={{
                times,
                series: spendSeries(value?.rows ?? [], times, nameOf),
                timeText: span.step === 'hour' ? hourText : dayText,
                valueText: moneyText,
              }}
            />
          )}
        </div>
      </Panel>
    </>
  )
}
