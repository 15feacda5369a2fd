import type { Governor, Scope } from '../../src/governor/index.ts'
import type { JobStep, TeamJob } from './team-jobs.ts'

export interface Workplace {
  readonly governor: Governor
  /** Lets time pass: really, or on a clock that is moved. */
  pass(milliseconds: number): Promise<void>
  /** A number from 0 to 1, the same in each run of the program. */
  random(): number
  readonly signal: AbortSignal
}

// What a prompt of an agent that reads code has, and how fast a model writes.
const FIRST_PROMPT_TOKENS = 9_000
const TOKENS_PER_TURN = 2_600
const MILLISECONDS_PER_TOKEN = 9
const CLOSING_TOKENS = 600

/** Plays one run of an agent with made-up usage: its limits, its calls and what they cost are real. */
export async function playJob(workplace: Workplace, job: TeamJob, budget: Scope): Promise<void> {
  const { governor, signal } = workplace
  const scope = await governor.open({
    name: job.name,
    agentType: job.agentType,
    within: budget,
    limits: job.limits,
    about: { task: job.task, by: job.by },
    wrapUp: true,
    signal,
  })
  await work(workplace, job, scope)
  await close(workplace, job, scope)
}

/** A run that a limit has ended answers once more, from what was held for it. */
async function close(workplace: Workplace, { model }: TeamJob, scope: Scope): Promise<void> {
  if (scope.signal.aborted || scope.status() === 'limit-reached') {
    const call = { model, inputTokens: FIRST_PROMPT_TOKENS, maxOutputTokens: CLOSING_TOKENS }
    await scope.callWrapUp(call, async ({ maxOutputTokens }) => {
      await workplace.pass(maxOutputTokens * MILLISECONDS_PER_TOKEN)
      return {
        value: null,
        usage: { inputTokens: 0, cacheReadTokens: FIRST_PROMPT_TOKENS, outputTokens: maxOutputTokens },
      }
    })
  }
  await scope.close()
}

async function work(workplace: Workplace, job: TeamJob, scope: Scope): Promise<void> {
  const { random, pass, signal } = workplace
  let inputTokens = FIRST_PROMPT_TOKENS
  for (let turn = 1; turn <= job.turns && !signal.aborted && !scope.signal.aborted; turn++) {
    const before = inputTokens
    inputTokens += Math.round(TOKENS_PER_TURN * (0.4 + random()))
    if (!(await callModel(workplace, job, scope, { before, inputTokens, isFirst: turn === 1 }))) return
    const step = job.steps[turn % job.steps.length]!
    if (step.kind === 'child') await playChild(workplace, step, scope)
    else {
      const read = await scope.callTool({ name: step.name }, async () => {
        await pass(step.milliseconds * (0.4 + 1.2 * random()))
      })
      if (read.kind !== 'done') return
    }
  }
}

interface Prompt {
  readonly before: number
  readonly inputTokens: number
  readonly isFirst: boolean
}

/** Whether the work continues. */
async function callModel(
  { random, pass, signal }: Workplace,
  { model }: TeamJob,
  scope: Scope,
  { before, inputTokens, isFirst }: Prompt,
): Promise<boolean> {
  const outputTokens = Math.round(250 + 1400 * random() ** 2)
  const answer = await scope.callModel({ model, inputTokens, maxOutputTokens: 4_000, signal }, async (grant) => {
    const output = Math.min(outputTokens, grant.maxOutputTokens)
    await pass(900 + output * MILLISECONDS_PER_TOKEN)
    const cached = isFirst ? 0 : before
    return {
      value: output,
      usage: { inputTokens: inputTokens - cached, cacheReadTokens: cached, outputTokens: output },
    }
  })
  return answer.kind === 'done'
}

async function playChild(
  workplace: Workplace,
  { job }: Extract<JobStep, { kind: 'child' }>,
  parent: Scope,
): Promise<void> {
  const { name, agentType, limits, task } = job
  const child = await parent.open({ name, agentType, limits, about: { task } }).catch(() => null)
  if (child === null) return
  await work(workplace, job, child)
  await child.close()
}
