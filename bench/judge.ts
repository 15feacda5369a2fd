/** A measured figure and the bound that it must keep. */
export type Judged = Bound & {
  /** What is said of the figure, such as `scope.callTool takes 8.50× the CPU of its peer`. */
  readonly sentence: (figure: string) => string
  readonly value: number
  /** Written behind figures and bounds. Default: `×`. */
  readonly unit?: string
}

type Bound =
  | { readonly atMost: number; readonly atLeast?: never }
  | { readonly atLeast: number; readonly atMost?: never }

export interface Verdict {
  readonly isKept: boolean
  readonly text: string
}

/** Whether a figure keeps its bound, in words. A figure that is not a number keeps none. */
export function verdictOf({ sentence, value, unit = '×', atMost, atLeast }: Judged): Verdict {
  const isKept = atMost === undefined ? value >= atLeast : value <= atMost
  const bound = atMost === undefined ? `at least ${atLeast}${unit}` : `at most ${atMost}${unit}`
  return { isKept, text: `${isKept ? 'reached' : 'NOT REACHED'}: ${sentence(value.toFixed(2) + unit)} (${bound})` }
}

/** Prints the verdict on a figure and returns whether it keeps its bound. */
export function judge(judged: Judged): boolean {
  const { isKept, text } = verdictOf(judged)
  console.log(text)
  return isKept
}

/** Prints the end of a benchmark, which fails where a figure does not keep its bound. */
export function conclude(verdicts: readonly boolean[]): void {
  const missed = verdicts.filter((isKept) => !isKept).length
  console.log(
    missed === 0
      ? `\nAll ${verdicts.length} judged figures keep their bounds.`
      : `\n${missed} of ${verdicts.length} judged figures do NOT keep their bounds.`,
  )
  process.exitCode = missed === 0 ? 0 : 1
}
