import { StintError } from '../core/index.ts'
import { type AgentProblem, problemText } from './agent-problem.ts'

// The error should fit on one screen.
const MOST_LINES = 12

/** An agent whose file or override is invalid. Lists all problems at once. */
export class InvalidAgentError extends StintError<'invalid_agent'> {
  readonly agent: string
  readonly problems: readonly AgentProblem[]

  constructor(agent: string, problems: readonly AgentProblem[]) {
    super('invalid_agent', messageOf(agent, problems))
    this.agent = agent
    this.problems = problems
  }
}

function messageOf(agent: string, problems: readonly AgentProblem[]): string {
  const lines = problems.map(problemText)
  if (lines.length === 1) return `The agent ${JSON.stringify(agent)} cannot be used. ${lines[0]}`
  const shown = lines.slice(0, MOST_LINES)
  const rest = lines.length > shown.length ? [`… and ${lines.length - shown.length} more`] : []
  const head = `The agent ${JSON.stringify(agent)} cannot be used: ${lines.length} problems.`
  return [head, ...shown.map((line) => `- ${line}`), ...rest].join('\n')
}
