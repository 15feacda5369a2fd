import type { LimitSource } from '../../core/index.ts'
import type { Scope } from '../../governor/index.ts'

/** What the agents of a run may cost before someone is asked, and what of it is planned so far. */
export interface CostConsent {
  readonly scope: Scope
  readonly above: { readonly max: number; readonly source: LimitSource }
  planned: number
}
