import type { Breaches } from '../../core/index.ts'
import { ownerOfBreach } from '../calls/act-on-breach.ts'
import { changeLifecycle } from './change-lifecycle.ts'
import { haltAdmission } from './halt-scope.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/**
 * Admits nothing more, for an edge that finds a limit ended the work without refusing a call: an answer truncated by
 * its cap. A closing call may still be made.
 */
export function haltAt(runtime: ScopeRuntime, breaches: Breaches): void {
  const owner = ownerOfBreach(runtime, breaches[0])
  if (owner.kind === 'lasting') return
  haltAdmission(owner, breaches)
  changeLifecycle(runtime, { kind: 'stopped', breaches })
}
