import type { ScopeRow as Row } from '../../../../src/server/contract.ts'
import { scopeActions } from '../../actions/scope-actions.ts'
import { Icon } from '../../components/icon.tsx'
import { Menu } from '../../components/menu.tsx'
import { MeterBar, MeterLeft, MeterParts } from '../../components/meter-bar.tsx'
import { Plain } from '../../components/plain.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { isUnfinished } from '../../data/live-tree.ts'
import { moneyText } from '../../format/amount-text.ts'
import { hrefOf } from '../../router/route.ts'
import { limitCount, tightestUsage } from './tightest-usage.ts'
import type { VisibleRow } from './visible-rows.ts'

export interface ScopeRowProps {
  readonly scope: Row
  readonly place: VisibleRow
  /** From 1, among all rows of the tree. */
  readonly index: number
  /** Whether Tab comes to this row. */
  readonly isCurrent: boolean
  readonly canSteer: boolean
  readonly onTwist: () => void
  readonly onFocus: () => void
}

/** One scope of the live tree. */
export function ScopeRow({ scope, place, index, isCurrent, canSteer, onTwist, onFocus }: ScopeRowProps) {
  const { level, hasChildren, isOpen } = place
  const items = canSteer ? scopeActions(scope) : []
  const look = `row ${scope.kind}${isUnfinished(scope) ? '' : ' ended'}`
  return (
    <div
      role="row"
      class={look}
      aria-level={level + 1}
      aria-rowindex={index + 1}
      aria-expanded={hasChildren ? isOpen : undefined}
      tabIndex={isCurrent ? 0 : -1}
      data-scope={scope.id}
      style={{ '--level': String(level) }}
      onFocus={onFocus}
    >
      <div role="gridcell" class="name">
        <Twist isShown={hasChildren} isOpen={isOpen} onTwist={onTwist} />
        <a href={hrefOf({ page: 'scope', id: scope.id })} class="cut" title={scope.path} tabIndex={isCurrent ? 0 : -1}>
          <Plain text={scope.name} />
          {scope.agentType !== null && scope.agentType !== scope.name && (
            <small class="cut">
              <Plain text={scope.agentType} />
            </small>
          )}
        </a>
      </div>
      <div role="gridcell" class="status">
        {scope.kind === 'lasting' && scope.status === 'running' ? (
          <span class="faint">budget</span>
        ) : (
          <StatusBadge status={scope.status} isStale={scope.isStale} />
        )}
      </div>
      <TightestLimit scope={scope} />
      <div role="gridcell" class="spent number">
        {moneyText(scope.usage.cost?.settled ?? 0)}
      </div>
      <div role="gridcell" class="actions">
        {items.length > 0 && <Menu label={`Actions for ${scope.name}`} items={items} />}
      </div>
    </div>
  )
}

interface TwistProps {
  readonly isShown: boolean
  readonly isOpen: boolean
  readonly onTwist: () => void
}

/** For the mouse: on the keyboard, the arrows do the same. */
function Twist({ isShown, isOpen, onTwist }: TwistProps) {
  if (!isShown) return <span class="twist" />
  return (
    <button type="button" class="twist" tabIndex={-1} aria-label={isOpen ? 'Close' : 'Open'} onClick={onTwist}>
      <Icon name={isOpen ? 'down' : 'right'} />
    </button>
  )
}

function TightestLimit({ scope }: { readonly scope: Row }) {
  const tightest = tightestUsage(scope)
  if (tightest === null) {
    return (
      <div role="gridcell" class="none">
        no limits
      </div>
    )
  }
  const others = limitCount(scope) - 1
  return (
    <div role="gridcell" class="limit">
      <div>
        <span class="title cut">
          <Plain text={tightest.name} />
          {others > 0 && <span title={`${others} more on this scope`}> +{others}</span>}
        </span>
        <MeterLeft state={tightest} />
      </div>
      <MeterBar name={`${scope.name}: ${tightest.name}`} state={tightest} />
      <MeterParts state={tightest} />
    </div>
  )
}
