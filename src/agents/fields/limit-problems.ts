import { printable } from '../../core/checks/printable.ts'
import type { InvalidLimitError, LimitProblem } from '../../policy/index.ts'
import { type AgentProblem, agentProblem } from '../agent-problem.ts'

/** Problems with limits, as problems of their file. */
export function limitProblems({ problems }: InvalidLimitError, file: string): readonly AgentProblem[] {
  return problems.map((problem) => problemFrom(problem, file))
}

// A place reads `limits.tokens in agents/slow.md:4`.
function problemFrom({ place, value, message }: LimitProblem, file: string): AgentProblem {
  const mark = ` in ${printable(file)}`
  const at = place.lastIndexOf(mark)
  const line = /^:(\d+)/.exec(place.slice(at + mark.length))?.[1]
  return agentProblem(
    file,
    { field: at === -1 ? place : place.slice(0, at), line: line ? Number(line) : 1, value },
    message,
  )
}
