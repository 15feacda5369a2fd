import { InvalidOptionError, type Limit } from '../../../core/index.ts'
import { isClockLimit } from '../scope-runtime.ts'

/** Lasting scopes have no clocks: no loop runs them, so a time limit would never end anything. */
export function refuseClocks(limits: readonly Limit[], name: string): void {
  const clock = limits.find(isClockLimit)
  if (clock === undefined) return
  const form = 'a limit of the runs within it, e.g. open({ within, limits: { time: "10m" } })'
  throw new InvalidOptionError(`The ${clock.meter} limit of the budget "${name}"`, clock.max, form)
}
