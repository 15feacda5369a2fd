import { useNow } from '../../components/use-now.ts'
import '../../components/dialog.css'
import type { Live } from '../../data/live.ts'
import type { Place } from '../../router/route.ts'
import { setFilters } from '../../router/use-place.ts'
import { AgentAverages } from './agent-averages.tsx'
import { CostParts } from './cost-parts.tsx'
import { LimitHits } from './limit-hits.tsx'
import { SPANS, spanOf } from './span.ts'
import { GROUPS, groupOf } from './spend-groups.ts'
import { SpendOverTime } from './spend-over-time.tsx'
import './spend-page.css'
import { Suggestions } from './suggestions.tsx'
import { TopSpenders } from './top-spenders.tsx'
import { useGroupName } from './use-group-name.ts'

const MINUTE_MS = 60_000

/** Where the money went, what reached its limits, and which limits would fit better. */
export function SpendPage({ place, live }: { readonly place: Place; readonly live: Live }) {
  const now = useNow(MINUTE_MS)
  const span = spanOf(place, now)
  const by = groupOf(place)
  const nameOf = useGroupName(by, span, live)
  return (
    <div class="page spend">
      <header>
        <h1>Spend</h1>
        <select
          class="input"
          aria-label="Spenders"
          value={by}
          onChange={(event) => setFilters(place, { by: event.currentTarget.value })}
        >
          {GROUPS.map((group) => (
            <option key={group} value={group}>
              by {group}
            </option>
          ))}
        </select>
        <select
          class="input"
          aria-label="Time"
          value={span.name}
          onChange={(event) => setFilters(place, { since: event.currentTarget.value })}
        >
          {Object.entries(SPANS).map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </header>
      <SpendOverTime span={span} now={now} place={place} nameOf={nameOf} />
      <TopSpenders span={span} place={place} nameOf={nameOf} />
      <CostParts span={span} />
      <LimitHits span={span} now={now} />
      <AgentAverages span={span} />
      <Suggestions />
    </div>
  )
}
