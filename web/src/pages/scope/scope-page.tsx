import { useState } from 'preact/hooks'
import type { Scope } from '../../../../src/server/contract.ts'
import { OpenDialogs } from '../../actions/open-dialogs.tsx'
import { scopeActions } from '../../actions/scope-actions.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Figure, Figures } from '../../components/figures.tsx'
import { Icon } from '../../components/icon.tsx'
import { Panel } from '../../components/panel.tsx'
import { Plain } from '../../components/plain.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { Live } from '../../data/live.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { useScopeChange } from '../../data/use-scope-change.ts'
import { durationText, moneyText, shortCount } from '../../format/amount-text.ts'
import { plainLines } from '../../format/plain-text.ts'
import { hrefOf, type Place } from '../../router/route.ts'
import { useCan } from '../../session/can.ts'
import { usePageTitle } from '../../shell/page-title.ts'
import { ScopeFacts } from './scope-facts.tsx'
import { ScopeLimits } from './scope-limits.tsx'
import './scope-page.css'
import { Timeline } from './timeline.tsx'
import { Transcript } from './transcript.tsx'

const FIRST_ENTRIES = 300
// As many as the API sends at once.
const MOST_ENTRIES = 1000

interface ScopePageProps {
  readonly place: Place
  readonly id: string
  readonly live: Live
}

/** A run, an agent or a budget: what happened in it, what it may still do, and what was said. */
export function ScopePage({ place, id, live }: ScopePageProps) {
  const params = { id }
  const [most, setMost] = useState(FIRST_ENTRIES)
  const details = useAnswer('GET /api/scopes/:id', { params })
  const history = useAnswer('GET /api/scopes/:id/history', { params, query: { from: 'last', most } })
  const explanation = useAnswer('GET /api/scopes/:id/explain', { params })
  usePageTitle(details.value?.scope.name ?? null)
  useScopeChange(live, id, () => {
    details.reload()
    history.reload()
  })
  if (details.value === null) {
    if (details.problem === null) return <p class="unseen">Loading</p>
    return (
      <EmptyState title="This scope cannot be shown" command="npx stint status">
        {details.problem}
      </EmptyState>
    )
  }
  const { scope, ancestors, task, reservations } = details.value
  const result = task?.output ?? task?.partialOutput ?? null
  const isRun = scope.kind !== 'lasting'
  return (
    <div class={`page scope${isRun ? '' : ' budget'}`}>
      <ScopeHeader scope={scope} ancestors={ancestors} />
      <ScopeFacts scope={scope} task={task} />
      <ScopeFigures scope={scope} />
      <ScopeLimits path={[...ancestors, scope]} explanation={explanation.value} />
      <Timeline
        entries={history.value?.entries ?? null}
        open={reservations.open}
        id={id}
        path={scope.path}
        place={place}
        class="calls"
        hasMore={history.value?.hasMore ?? false}
        onEarlier={most < MOST_ENTRIES ? () => setMost(MOST_ENTRIES) : null}
      />
      {isRun && (
        <div class="stack">
          {result !== null && (
            <Panel title={task?.output == null ? 'What it had when it ended' : 'Answer'}>
              <div class="outcome" dir="auto">
                {plainLines(result)}
              </div>
            </Panel>
          )}
          <Transcript id={id} taskId={task?.id ?? null} live={live} />
        </div>
      )}
      <OpenDialogs />
    </div>
  )
}

function ScopeHeader({ scope, ancestors }: { readonly scope: Scope; readonly ancestors: readonly Scope[] }) {
  const canSteer = useCan('operator')
  return (
    <header>
      <nav class="trail" aria-label="Above this scope">
        <a href={hrefOf({ page: 'live' })}>Live</a>
        {ancestors.map(({ id, name }) => (
          <span key={id}>
            <a href={hrefOf({ page: 'scope', id })}>
              <Plain text={name} />
            </a>
          </span>
        ))}
      </nav>
      <h1>
        <Plain text={scope.name} />
      </h1>
      <StatusBadge status={scope.status} isStale={scope.isOrphaned && scope.closedAtMs === null} />
      {canSteer && (
        <div class="actions">
          {scopeActions(scope).map(({ name, icon, isDangerous, run }) => (
            <Button key={name} look={isDangerous ? 'danger small' : 'small'} onClick={run}>
              <Icon name={icon} />
              {name}
            </Button>
          ))}
        </div>
      )}
    </header>
  )
}

function ScopeFigures({ scope: { totals, activeMs, kind } }: { readonly scope: Scope }) {
  const settled = (name: string): number => totals[name]?.settled ?? 0
  return (
    <Figures>
      <Figure name="Cost" value={moneyText(settled('costNanoUsd'))} />
      <Figure name="Tool calls" value={shortCount(settled('toolCalls'))} />
      <Figure name="Model calls" value={shortCount(settled('modelCalls'))} />
      {kind === 'lasting' ? (
        <Figure name="Tokens" value={shortCount(settled('tokens'))} />
      ) : (
        <Figure name="Active time" value={durationText(activeMs)} />
      )}
    </Figures>
  )
}
