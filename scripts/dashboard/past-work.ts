import type { LedgerStore } from '../../src/core/index.ts'
import { createGovernor } from '../../src/governor/index.ts'
import { createManualClock } from '../../src/testing/index.ts'
import { TEAM_BUDGETS, TEAM_JOBS } from './team-jobs.ts'
import { playJob, type Workplace } from './team-work.ts'

// Answers to requests were given then; nobody waits for one now.
const ASK = 'architect'

/** Writes what the team did in the last hours into a ledger, in a few seconds, on a clock that is moved. */
export async function writePastWork(
  store: LedgerStore,
  {
    hours,
    jobs,
    random,
    signal,
  }: { readonly hours: number; readonly jobs: number } & Pick<Workplace, 'random' | 'signal'>,
): Promise<void> {
  const lengthMs = hours * 3_600_000
  const startMs = Date.now() - lengthMs
  const clock = createManualClock({ wallMs: startMs })
  const governor = createGovernor({ store, clock, waitMs: 0 })
  const workplace: Workplace = {
    governor,
    random,
    signal,
    pass: (milliseconds) => clock.advance(Math.round(milliseconds)),
  }
  for (let index = 0; index < jobs && !signal.aborted; index++) {
    const dueMs = Math.round(startMs + (lengthMs * (index + random() / 2)) / jobs)
    await clock.advance(Math.max(0, dueMs - clock.wallMs()))
    if (clock.wallMs() > Date.now()) break
    const job = TEAM_JOBS[Math.floor(random() * TEAM_JOBS.length)]!
    if (job.name === ASK) continue
    const budget = await governor.budget(`team:${job.team}`, { limits: TEAM_BUDGETS[job.team] })
    await playJob(workplace, job, budget)
  }
  await governor.close()
}
