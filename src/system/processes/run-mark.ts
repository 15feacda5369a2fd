/** The variable by which every process of a run is known, wherever it has gone. */
export const RUN_VARIABLE = 'STINT_RUN'

const SEPARATOR = ','

/** The mark of a run inside the runs that it is nested in. */
export function markRun(outer: string | undefined, runId: string): string {
  return outer ? `${outer}${SEPARATOR}${runId}` : runId
}

/** The runs that a mark names, the outermost first. */
export function runsOfMark(mark: string | null): readonly string[] {
  return mark?.split(SEPARATOR).filter((id) => id !== '') ?? []
}

/** Whether a process with this mark belongs to the run, directly or nested. */
export function isMarked(mark: string | null, runId: string): boolean {
  return runsOfMark(mark).includes(runId)
}
