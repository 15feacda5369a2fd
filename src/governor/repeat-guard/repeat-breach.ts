import type { Breach } from '../../core/breach.ts'
import { showValue } from '../../core/errors.ts'
import { REPEATS, WITHIN_CALLS } from './repeat-state.ts'

/** The guard is no meter of the ledger: nothing of it is reserved or stored. */
export const REPEAT_METER = 'repeat'

/** A breach of the guard, but for whose it is and what is to be done: that is the scope's. */
export type RepeatBreach = Omit<Breach, 'key' | 'meter' | 'scope' | 'scopePath' | 'action'> & {
  readonly meter: typeof REPEAT_METER
}

/** The breach by calling `tool` again after it was suppressed. */
export function repeatBreachOf(tool: string): RepeatBreach {
  return {
    meter: REPEAT_METER,
    limit: REPEATS,
    per: null,
    settled: REPEATS,
    reserved: 0,
    held: 0,
    asked: 1,
    remaining: 0,
    resetsAt: null,
    source: { layer: 'defaults', written: 'repeatGuard' },
    message:
      `The repeat guard does not allow ${showValue(tool)} with the same arguments again: it ran ${REPEATS} times ` +
      `within ${WITHIN_CALLS} calls with the same result, and the next such call was suppressed. ` +
      'To turn the guard off, set repeatGuard: false; for a tool that is meant to be called again and again, ' +
      'declare polls: true.',
  }
}
