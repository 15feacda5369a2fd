import type { LimitsInput } from '../../src/policy/index.ts'

/** What an agent does between two model calls. */
export type JobStep =
  | { readonly kind: 'tool'; readonly name: string; readonly milliseconds: number }
  | { readonly kind: 'child'; readonly job: TeamJob }

/** A run that the made-up team starts again and again. */
export interface TeamJob {
  readonly name: string
  readonly agentType: string
  readonly team: 'core' | 'research' | 'support'
  readonly by: string
  readonly task: string
  readonly model: string
  /** How many model calls it would make without limits. */
  readonly turns: number
  readonly limits: LimitsInput
  readonly steps: readonly JobStep[]
}

const READ = tool('read', 300)
const SEARCH = tool('grep', 700)
const EDIT = tool('edit', 500)
const BASH = tool('bash', 6_000)

function tool(name: string, milliseconds: number): JobStep {
  return { kind: 'tool', name, milliseconds }
}

const REVIEW: TeamJob = {
  name: 'code-reviewer',
  agentType: 'code-reviewer',
  team: 'core',
  by: 'ann',
  task: 'Review the change.',
  model: 'claude-haiku-4-5',
  turns: 4,
  limits: { toolCalls: 6, cost: 0.5 },
  steps: [READ, SEARCH],
}

/** What the team works on. Some of it does not fit its limits: that is what they are for. */
export const TEAM_JOBS: readonly TeamJob[] = [
  {
    name: 'developer',
    agentType: 'developer',
    team: 'core',
    by: 'ann',
    task: 'Add a --json flag to the report command.',
    model: 'claude-sonnet-4-5',
    turns: 14,
    limits: { toolCalls: 30, cost: 1.5, time: '10m' },
    steps: [READ, EDIT, { kind: 'child', job: REVIEW }, BASH],
  },
  {
    name: 'qa',
    agentType: 'qa',
    team: 'core',
    by: 'ben',
    task: 'Run the tests and report what fails.',
    model: 'claude-haiku-4-5',
    turns: 12,
    limits: { toolCalls: 10, cost: 0.5, time: '2m' },
    steps: [BASH, READ],
  },
  {
    name: 'researcher',
    agentType: 'researcher',
    team: 'research',
    by: 'cleo',
    task: 'Which of our pages do customers ask about most?',
    model: 'gpt-5',
    turns: 18,
    limits: { tokens: '900k', cost: 2 },
    steps: [SEARCH, READ, READ],
  },
  {
    name: 'architect',
    agentType: 'architect',
    team: 'core',
    by: 'ann',
    task: 'Draw the services and what they call.',
    model: 'claude-opus-4-5',
    turns: 16,
    limits: { cost: { max: 0.4, action: 'ask' }, time: '30m' },
    steps: [READ, SEARCH],
  },
  {
    name: 'answer-mail',
    agentType: 'support',
    team: 'support',
    by: 'dan',
    task: 'Draft answers to the mail of this morning.',
    model: 'gpt-5-mini',
    turns: 9,
    limits: { toolCalls: 12, cost: 0.25 },
    steps: [READ, tool('draft', 900)],
  },
]

/** What each team may spend in an hour: more than it does, so that a page left open all day still shows work. */
export const TEAM_BUDGETS: Readonly<Record<TeamJob['team'], LimitsInput>> = {
  core: { cost: { max: 20, per: 'hour' } },
  research: { cost: { max: 12, per: 'hour' } },
  support: { cost: { max: 2, per: 'hour' } },
}
