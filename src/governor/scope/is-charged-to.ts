import type { Scope } from '../governor.ts'
import { runtimeBehind } from './scope-handle.ts'

/** Whether what `scope` spends is charged to `other`: they are one, or `other` is above it. For adapters. */
export function isChargedTo(scope: Scope, other: Scope): boolean {
  const path = runtimeBehind(scope)?.rootToSelf ?? [scope]
  return path.some(({ id }) => id === other.id)
}
