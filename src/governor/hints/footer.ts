import { partOfLimit, showUsed } from './amount-words.ts'
import { type Standing, tightestPerMeter } from './standing.ts'

/** A line for the reader of the answer: "— 23 of 25 tool calls, $0.81 of $1.00". Empty without limits. */
export function footer(standings: readonly Standing[]): string {
  const parts = tightestPerMeter(standings).map((standing) =>
    partOfLimit(standing.meter, showUsed(standing.meter, standing.settled), standing),
  )
  return parts.length === 0 ? '' : `— ${parts.join(', ')}`
}
