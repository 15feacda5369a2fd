import { describeSource } from '../../core/index.ts'
import type { ScopeRuntime } from '../scope/scope-runtime.ts'
import { headerFor } from './emit.ts'

/** Emits that a scope was opened, and that an agent started. */
export function emitOpened(runtime: ScopeRuntime): void {
  const { hub } = runtime.context
  const parentScope = runtime.parent?.id ?? null
  hub.emit({
    ...headerFor(runtime, 'scope_opened'),
    kind: runtime.kind,
    parent_scope: parentScope,
    limits: runtime.limits.map(({ meter, max, per, action, source }) => {
      return { limit_kind: meter, limit: max, per, action, source: describeSource(source) }
    }),
  })
  if (runtime.kind !== 'agent') return
  const depth = runtime.rootToSelf.filter(({ kind }) => kind === 'agent').length - 1
  hub.emit({ ...headerFor(runtime, 'agent_started'), parent_scope: parentScope, depth })
}
