import { setTimeout as wait } from 'node:timers/promises'
import { loopingReader, partReader } from '../../src/cli/demo/demo-scripts.ts'
import type { DemoStage } from '../../src/cli/demo/demo-stage.ts'
import { PAGES } from '../../src/cli/demo/handbook.ts'
import { limitsFromFlags } from '../../src/cli/flags/limits-from-flags.ts'
import { TEAM_BUDGETS, TEAM_JOBS } from './team-jobs.ts'
import { playJob, type Workplace } from './team-work.ts'

const PAUSE_MS = 1500
const READER_DELAY_MS = 2500
// Reading costs more than everything else.
const READERS_REST_MS = 20_000

/** Plays the team and the demo, again and again, until it is stopped. */
export async function playPresentWork(stage: DemoStage, workplace: Workplace): Promise<void> {
  const jobs = TEAM_JOBS.map((job, index) =>
    again(workplace, index, async () => {
      const budget = await stage.governor.budget(`team:${job.team}`, { limits: TEAM_BUDGETS[job.team] })
      await playJob(workplace, job, budget)
    }),
  )
  await Promise.all([...jobs, again(workplace, TEAM_JOBS.length, () => playReaders(stage, workplace))])
}

/** A run that ends at a limit throws no further than here: the next one begins. */
async function again({ signal, random }: Workplace, index: number, play: () => Promise<void>): Promise<void> {
  await wait(index * PAUSE_MS, undefined, { signal }).catch(() => {})
  while (!signal.aborted) {
    await play().catch(() => {})
    await wait(PAUSE_MS * (1 + 4 * random()), undefined, { signal }).catch(() => {})
  }
}

/** The agents of `stint demo`, which keep a transcript: one that never stops, and one that reads its part. */
async function playReaders(stage: DemoStage, { random, signal, pass }: Workplace): Promise<void> {
  const { runner, agent, workingFolder, governor } = stage
  const within = await governor.budget('team:demo', { limits: limitsFromFlags(['cost=40/hour']) })
  const first = 1 + Math.floor(random() * (PAGES - 12))
  const run = (name: string, model: string, limit: string) =>
    runner.run(
      {
        agent,
        name,
        task: 'Read the handbook and say what is in it.',
        workingFolder,
        model,
        within,
        layers: [limitsFromFlags([limit])],
      },
      { signal },
    )
  await Promise.all([
    run('reader', stage.offer(loopingReader(READER_DELAY_MS)), 'turns=12'),
    run('reader-of-a-part', stage.offer(partReader({ first, last: first + 7 }, READER_DELAY_MS)), 'cost=0.75'),
  ])
  await pass(READERS_REST_MS)
}
