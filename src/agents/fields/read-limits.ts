import { printable } from '../../core/checks/printable.ts'
import { isStintError } from '../../core/index.ts'
import {
  type AgentFieldsFormat,
  type AgentLimits,
  type InvalidLimitError,
  type LimitProblem,
  type ParsedLimits,
  parseAgentFields,
} from '../../policy/index.ts'
import { type AgentProblem, agentProblem } from '../agent-problem.ts'
import type { WrittenFields } from './read-fields.ts'

/** Reads the limits among the written fields, and refuses near misses. If any is wrong, adds problems and returns `null`. */
export function readLimits(
  written: WrittenFields,
  format: AgentFieldsFormat,
  layer: ParsedLimits['layer'],
  problems: AgentProblem[],
): AgentLimits | null {
  const { file, lineOf, field } = written
  const at = { format, layer, file, lineOf, ...(field === '' ? {} : { field }) }
  try {
    return parseAgentFields(written.values, at)
  } catch (error) {
    if (!isStintError<InvalidLimitError>(error, 'invalid_limit')) throw error
    problems.push(...limitProblems(error, file))
    return null
  }
}

/** What is wrong with limits as problems of the file that they are in. */
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
