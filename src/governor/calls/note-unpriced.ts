import { METERS } from '../../core/index.ts'
import type { Notice } from '../../policy/index.ts'
import { headerFor } from '../events/emit.ts'
import type { ScopeRuntime } from '../scope/scope-runtime.ts'
import type { CallInfo, GrantedRoom } from './room-request.ts'

// Model names come from outside, so the notices of a scope are bounded.
const MOST_NOTICES = 50

/**
 * Reports what happens to the cost limits on the path of a call whose model has no price: in `explain()` of every scope
 * that has one, and as a `usage_anomaly`. Once per scope and notice, however many calls follow.
 */
export function noteUnpriced(runtime: ScopeRuntime, notice: string, info: CallInfo, room: GrantedRoom): void {
  const noted = runtime.rootToSelf.filter((scope) => addNotice(scope, notice))
  if (noted.length === 0) return
  runtime.context.hub.emit({
    ...headerFor(runtime, 'usage_anomaly'),
    reservation: room.id,
    call: info.call,
    call_name: info.name,
    meter: 'cost',
    value: notice,
    charged: room.amounts.cost ?? 0,
  })
}

/** `false`: the scope has no such limit, or has this notice already. */
function addNotice(scope: ScopeRuntime, message: string): boolean {
  const { notices } = scope.resolved
  if (notices.length >= MOST_NOTICES || notices.some((known) => known.message === message)) return false
  const added = scope.limits
    .filter(({ meter }) => METERS[meter].unit === 'nanoUsd')
    .map(({ meter, per, source }): Notice => ({ kind: 'unpriced-model', meter, per, message, source }))
  scope.resolved = { ...scope.resolved, notices: [...notices, ...added] }
  return added.length > 0
}
