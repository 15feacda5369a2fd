import type { Breaches } from '../../core/index.ts'
import { ownerOfBreach } from '../calls/act-on-breach.ts'
import { apply } from './apply-fact.ts'
import { haltAdmission } from './halt-scope.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/**
 * Admits nothing more where an edge has found that a limit ended the work, though no call was refused: an answer that
 * its cap has cut. A closing call may still be made.
 */
export function haltAt(runtime: ScopeRuntime, breaches: Breaches): void {
  const owner = ownerOfBreach(runtime, breaches[0])
  if (owner.kind === 'lasting') return
  haltAdmission(owner, breaches)
  apply(runtime, { kind: 'stopped', breaches })
}
