/** What a run needed, or what it had used when something cut it: then it would have needed more than that. */
export interface Observation {
  readonly value: number
  readonly isCut: boolean
}

/** The estimated share of runs that need more than a value. It falls at each value where a run ended by itself. */
export interface NeedCurve {
  readonly steps: readonly { readonly value: number; readonly above: number }[]
  /** The largest value that was seen, of a run that ended by itself or was cut. */
  readonly largest: number
}

/**
 * The product-limit estimate of Kaplan and Meier. At each value, the share of runs that need more shrinks by those that
 * ended there, out of those that got that far; a run that was cut counts among them up to and at its value.
 */
export function needCurve(observations: readonly Observation[]): NeedCurve {
  const sorted = observations.toSorted((left, right) => left.value - right.value)
  const steps: { value: number; above: number }[] = []
  let above = 1
  for (let place = 0; place < sorted.length; ) {
    const { value } = sorted[place]!
    const atRisk = sorted.length - place
    let ended = 0
    for (; sorted[place]?.value === value; place++) if (!sorted[place]!.isCut) ended++
    if (ended === 0) continue
    above *= 1 - ended / atRisk
    steps.push({ value, above })
  }
  return { steps, largest: sorted.at(-1)?.value ?? 0 }
}

// Products of fractions: 0.05 may come out as 0.05000000000000004.
const ROUNDING = 1e-9

/** The smallest value that this share of runs does not exceed; `null` if the curve never gets that far. */
export function quantileOf({ steps }: NeedCurve, quantile: number): number | null {
  return steps.find(({ above }) => above <= 1 - quantile + ROUNDING)?.value ?? null
}

/** The estimated share of runs that need more than this. */
export function shareAbove({ steps }: NeedCurve, value: number): number {
  let share = 1
  for (const step of steps) {
    if (step.value > value) break
    share = step.above
  }
  return share < ROUNDING ? 0 : share
}
