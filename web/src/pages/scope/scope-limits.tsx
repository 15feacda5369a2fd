import type { Answer, Limit, Scope } from '../../../../src/server/contract.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { MeterBar, MeterLeft, MeterLegend, MeterParts } from '../../components/meter-bar.tsx'
import { Panel } from '../../components/panel.tsx'
import { Plain } from '../../components/plain.tsx'
import { useNow } from '../../components/use-now.ts'
import { limitName } from '../../format/limit-name.ts'
import { shellWord } from '../../format/shell-word.ts'
import { whenText } from '../../format/time-text.ts'
import { hrefOf } from '../../router/route.ts'
import './scope-limits.css'

type Explanation = Answer<'GET /api/scopes/:id/explain'>
type Explained = Explanation['scopes'][number]['limits'][number]

interface ScopeLimitsProps {
  /** The scope and those above it, the root first. */
  readonly path: readonly Scope[]
  readonly explanation: Explanation | null
}

/** Every limit that a call of the scope has to fit, and where each was written. */
export function ScopeLimits({ path, explanation }: ScopeLimitsProps) {
  const last = path.at(-1)
  const count = path.reduce((sum, { limits }) => sum + limits.length, 0)
  return (
    <Panel title="Limits" class="limits" count={count} tools={<MeterLegend />}>
      {count === 0 && (
        <EmptyState title="Nothing limits it" command={`npx stint raise ${shellWord(last?.id ?? '')} --limit cost=1`}>
          A limit can be set while it runs.
        </EmptyState>
      )}
      <ul class="rows scope-limits">
        {path.flatMap((scope) =>
          scope.limits.map((limit) => (
            <LimitOfPath
              key={`${scope.id} ${limitName(limit)}`}
              scope={scope}
              isOwn={scope === last}
              limit={limit}
              explained={explainedOf(explanation, scope.id, limit)}
            />
          )),
        )}
      </ul>
    </Panel>
  )
}

function explainedOf(explanation: Explanation | null, scopeId: string, limit: Limit): Explained | undefined {
  const scope = explanation?.scopes.find(({ id }) => id === scopeId)
  return scope?.limits.find(({ meter, per }) => meter === limit.meter && per === limit.per)
}

interface LimitOfPathProps {
  readonly scope: Scope
  readonly isOwn: boolean
  readonly limit: Limit
  readonly explained: Explained | undefined
}

function LimitOfPath({ scope, isOwn, limit, explained }: LimitOfPathProps) {
  const now = useNow()
  const { action, resetsAt, place, isCounted } = limit
  return (
    <li>
      <div class="title">
        <span>
          <b>
            <Plain text={limitName(limit)} />
          </b>{' '}
          <small>
            {!isOwn && (
              <>
                of{' '}
                <a href={hrefOf({ page: 'scope', id: scope.id })}>
                  <Plain text={scope.name} />
                </a>
                ,{' '}
              </>
            )}
            {action}
            {resetsAt !== null && `, resets ${whenText(resetsAt, now)}`}
          </small>
        </span>
      </div>
      {isCounted ? (
        <>
          <MeterBar name={`${scope.name}: ${limitName(limit)}`} state={limit} />
          <MeterLeft state={limit} />
          <MeterParts state={limit} />
        </>
      ) : (
        <small>Only the process that runs it counts this one.</small>
      )}
      <small>
        Set by <Plain text={place} />
        {explained?.ceiling != null && (
          <>
            ; at most {explained.ceiling.maxText}, by <Plain text={explained.ceiling.place} />
          </>
        )}
        {explained?.overrides.map((other) => (
          <span key={other.place}>
            ; instead of {other.maxText} in <Plain text={other.place} />
          </span>
        ))}
      </small>
    </li>
  )
}
