import { ShareBars } from '../../charts/share-bars.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Panel } from '../../components/panel.tsx'
import type { Live } from '../../data/live.ts'
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
  readonly live: Live
}

/** Who spent most, by model, team, agent type, user, tool or run. */
export function TopSpenders({ span, place, live }: TopSpendersProps) {
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
