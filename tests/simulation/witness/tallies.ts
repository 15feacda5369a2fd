import { addTo, type Vector, windowStart, zeros } from './meters.ts'
import type { Tally, WitnessLimit, WitnessScope } from './records.ts'

export const createTally = (): Tally => ({ settled: zeros(), reserved: zeros(), real: zeros(), excess: zeros() })

/** Adds to one column of every scope on a path, over the life and in the windows of that time. */
export function count(
  path: readonly WitnessScope[],
  column: keyof Tally,
  change: Vector,
  atMs: number,
  sign: 1 | -1 = 1,
): void {
  for (const scope of path) {
    addTo(scope.life[column], change, sign)
    for (const per of scope.periods) addTo(tallyAt(scope, per, atMs)[column], change, sign)
  }
}

/** What a limit looks at: the life of its scope, or the window of that time. */
export function tallyOf(scope: WitnessScope, limit: Pick<WitnessLimit, 'per'>, atMs: number): Tally {
  return limit.per === null ? scope.life : tallyAt(scope, limit.per, atMs)
}

function tallyAt(scope: WitnessScope, per: string, atMs: number): Tally {
  const key = `${per} ${windowStart(per, atMs)}`
  let tally = scope.windows.get(key)
  if (tally === undefined) {
    tally = createTally()
    scope.windows.set(key, tally)
  }
  return tally
}

/** Every window of a limit in which something was counted, with its start; the life counts as one that starts at 0. */
export function talliesOf(
  scope: WitnessScope,
  { per }: Pick<WitnessLimit, 'per'>,
): readonly (readonly [number, Tally])[] {
  if (per === null) return [[0, scope.life]]
  return [...scope.windows].flatMap(([key, tally]) => {
    const [period, start] = key.split(' ')
    return period === per ? [[Number(start), tally] as const] : []
  })
}
