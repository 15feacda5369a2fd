/** The variable that marks every process of a run. */
export const RUN_VARIABLE = 'STINT_RUN'

const SEPARATOR = ','

/** The mark of a run, including the runs that it is nested in. */
export function markRun(outer: string | undefined, runId: string): string {
  return outer ? `${outer}${SEPARATOR}${runId}` : runId
}

/** The runs in a mark, outermost first. */
export function runsOfMark(mark: string | null): readonly string[] {
  return mark?.split(SEPARATOR).filter((id) => id !== '') ?? []
}

/** Whether a process with this mark belongs to the run, directly or nested. */
export function isMarked(mark: string | null, runId: string): boolean {
  return runsOfMark(mark).includes(runId)
}
