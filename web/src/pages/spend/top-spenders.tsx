import { ShareBars } from '../../charts/share-bars.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Panel } from '../../components/panel.tsx'
import type { Live } from '../../data/live.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { moneyText, shortCount } from '../../format/amount-text.ts'
import { hrefOf, type Place } from '../../router/route.ts'
import { setFilters } from '../../router/use-place.ts'
import type { Span } from './span.ts'
import { GROUPS, groupOf } from './spend-groups.ts'

const MOST = 8
const EVERY_MS = 10_000

interface TopSpendersProps {
  readonly span: Span
  readonly place: Place
  readonly live: Live
}

/** Who spent most, by model, team, agent type, user, tool or run. */
export function TopSpenders({ span, place, live }: TopSpendersProps) {
  const by = groupOf(place)
  const query = { by, sinceMs: span.sinceMs, most: MOST }
  const { value, problem } = useAnswer('GET /api/reports/spend', { query }, EVERY_MS)
  const rows = value?.rows ?? []
  return (
    <Panel
      title="Top spenders"
      class="half"
      tools={
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
      }
    >
      <div class="body">
        {problem !== null && <p class="soft">{problem}</p>}
        {value !== null && rows.length === 0 && (
          <EmptyState
            title={`No spend has a ${by}`}
            command={by === 'team' ? 'npx stint exec --team core -- claude' : undefined}
          >
            Choose another group, or a longer time.
          </EmptyState>
        )}
        <ShareBars
          shares={rows.map(({ key, calls, totals }) => ({
            key,
            name: by === 'run' ? (live.tree.scopes.get(key)?.path ?? key) : key,
            value: totals.costNanoUsd ?? 0,
            text: moneyText(totals.costNanoUsd ?? 0),
            detail: `${shortCount(calls)} calls`,
            ...(by === 'run' ? { href: hrefOf({ page: 'scope', id: key }) } : {}),
          }))}
        />
      </div>
    </Panel>
  )
}
