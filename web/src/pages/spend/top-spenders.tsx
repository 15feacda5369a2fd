import { ShareBars } from '../../charts/share-bars.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Panel } from '../../components/panel.tsx'
import { useAnswer } from '../../data/use-answer.ts'
import { moneyText, shortCount } from '../../format/amount-text.ts'
import { hrefOf, type Place } from '../../router/route.ts'
import type { Span } from './span.ts'
import { type Group, groupOf } from './spend-groups.ts'

const MOST = 8
const EVERY_MS = 10_000

interface TopSpendersProps {
  readonly span: Span
  readonly place: Place
  readonly nameOf: (key: string) => string
}

/** Who spent most, by model, team, agent type, user, tool or run. */
export function TopSpenders({ span, place, nameOf }: TopSpendersProps) {
  const by = groupOf(place)
  const query = { by, sinceMs: span.sinceMs, most: MOST }
  const { value, problem } = useAnswer('GET /api/reports/spend', { query }, EVERY_MS)
  const rows = value?.rows ?? []
  return (
    <Panel title={`Top spenders by ${by}`} class="half">
      <div class="body">
        {problem !== null && <p class="soft">{problem}</p>}
        {value !== null && rows.length === 0 && (
          <EmptyState
            title={value.total.calls === 0 ? 'Nothing was spent in this time' : `No spend has a ${by}`}
            command="npx stint exec --team core --user ann --limit cost=1 -- claude"
          >
            Say whose run it is, and its spend is counted for the team and the user too.
          </EmptyState>
        )}
        <ShareBars
          shares={rows.map(({ key, calls, totals }) => ({
            key,
            name: nameOf(key),
            value: totals.costNanoUsd ?? 0,
            text: moneyText(totals.costNanoUsd ?? 0),
            detail: `${shortCount(calls)} calls`,
            ...hrefTo(by, key),
          }))}
        />
      </div>
    </Panel>
  )
}

/** A run has a page, and so has the budget of a team or user; agents of a type are found among the live ones. */
function hrefTo(by: Group, key: string): { readonly href?: string } {
  if (by === 'run') return { href: hrefOf({ page: 'scope', id: key }) }
  if (key.startsWith(`${by}:`)) return { href: hrefOf({ page: 'scope', id: key }) }
  return by === 'agent' ? { href: hrefOf({ page: 'live' }, { find: key, ended: 'yes' }) } : {}
}
