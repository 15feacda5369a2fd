import { type Breaches, InvalidOptionError } from '../../core/index.ts'
import { ownerOfBreach } from '../calls/act-on-breach.ts'
import type { Scope } from '../governor.ts'
import { haltAdmission } from './halt-scope.ts'
import { runtimeBehind } from './scope-handle.ts'

/**
 * Admits nothing more where an edge has found that a limit ended the work, though no call was refused: an answer that
 * its cap has cut. A closing call may still be made.
 */
export function haltAt(scope: Scope, breaches: Breaches): void {
  const runtime = runtimeBehind(scope)
  if (runtime === null) throw new InvalidOptionError('haltAt(scope)', scope, 'a scope of a governor')
  const owner = ownerOfBreach(runtime, breaches[0])
  if (owner.kind === 'lasting') return
  haltAdmission(owner, breaches)
  runtime.stoppedBy ??= breaches
}
