import { InvalidOptionError, type Limit } from '../../core/index.ts'
import { isClockLimit } from './scope-runtime.ts'

/** Clocks are not on lasting scopes: nobody runs those, so a limit of one would never end anything. */
export function refuseClocks(limits: readonly Limit[], name: string): void {
  const clock = limits.find(isClockLimit)
  if (clock === undefined) return
  const form = 'a limit of the runs within it, e.g. open({ within, limits: { time: "10m" } })'
  throw new InvalidOptionError(`The ${clock.meter} limit of the budget "${name}"`, clock.max, form)
}
