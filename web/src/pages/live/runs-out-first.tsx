import type { Answer } from '../../../../src/server/contract.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Panel } from '../../components/panel.tsx'
import { Plain } from '../../components/plain.tsx'
import { useNow } from '../../components/use-now.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { amountText, durationText } from '../../format/amount-text.ts'
import { whenText } from '../../format/time-text.ts'
import { hrefOf } from '../../router/route.ts'
import './runs-out-first.css'

const EVERY_MS = 15_000
const NOW_MS = 5 * 60_000
const SOON_MS = 3_600_000
const MOST = 5

type Forecast = Answer<'GET /api/reports/forecast'>['limits'][number]

/** Which limits are used up first at the current rate, and when. */
export function RunsOutFirst() {
  const { value, problem } = useAnswer('GET /api/reports/forecast', {}, EVERY_MS)
  const now = useNow()
  const limits = value?.limits.filter(({ runsOutAtMs }) => runsOutAtMs !== null).slice(0, MOST) ?? []
  return (
    <Panel title="Runs out first">
      {problem !== null && <p class="body soft">{problem}</p>}
      {value !== null && limits.length === 0 && (
        <EmptyState title="Nothing runs out at this rate" command="npx stint budget set team:core --limit cost=100/day">
          As soon as something spends from a limit, its end is forecast here.
        </EmptyState>
      )}
      <ul class="rows runs-out few">
        {limits.map((limit) => (
          <RunningOut key={`${limit.scopeId} ${limit.meter} ${limit.per}`} limit={limit} now={now} />
        ))}
      </ul>
    </Panel>
  )
}

function RunningOut({ limit, now }: { readonly limit: Forecast; readonly now: number }) {
  const { scopeId, scopePath, written, per, unit, perHour, remaining, runsOutAtMs } = limit
  const at = runsOutAtMs ?? now
  return (
    <li>
      <div class="line">
        <a class="cut" href={hrefOf({ page: 'scope', id: scopeId })}>
          <Plain text={scopePath} />
        </a>
        <b class={at - now < NOW_MS ? 'now' : at - now < SOON_MS ? 'soon' : ''}>
          {at <= now ? 'now' : `in ${durationText(Math.ceil((at - now) / 60_000) * 60_000)}`}
        </b>
      </div>
      <div class="line">
        <small>
          <Plain text={per === null ? written : `${written}/${per}`} />: {amountText(remaining, unit)} left,{' '}
          {amountText(Math.round(perHour), unit)}/hour
        </small>
        <small>{whenText(at, now)}</small>
      </div>
    </li>
  )
}
