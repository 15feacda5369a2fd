import { type AgentProblem, problemText } from '../../../agents/index.ts'
import { StintError } from '../../../core/index.ts'

// An error fits on one screen.
const MOST_LINES = 12

/** A chain that is invalid as written. Lists all problems at once. */
export class InvalidChainError extends StintError<'invalid_chain'> {
  readonly chain: string
  readonly problems: readonly AgentProblem[]

  constructor(chain: string, problems: readonly AgentProblem[]) {
    super('invalid_chain', messageOf(chain, problems))
    this.chain = chain
    this.problems = problems
  }
}

function messageOf(chain: string, problems: readonly AgentProblem[]): string {
  const lines = problems.map(problemText)
  if (lines.length === 1) return `The chain ${JSON.stringify(chain)} cannot be used. ${lines[0]}`
  const shown = lines.slice(0, MOST_LINES)
  const rest = lines.length > shown.length ? [`… and ${lines.length - shown.length} more`] : []
  const head = `The chain ${JSON.stringify(chain)} cannot be used: ${lines.length} problems.`
  return [head, ...shown.map((line) => `- ${line}`), ...rest].join('\n')
}
