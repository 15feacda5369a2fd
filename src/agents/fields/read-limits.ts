import { isStintError } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
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

/** Reads the limits among the written fields, and refuses what is nearly one; `null` and problems if any is wrong. */
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
    if (!isStintError(error, 'invalid_limit')) throw error
    problems.push(...(error as unknown as InvalidLimitError).problems.map((problem) => problemFrom(problem, file)))
    return null
  }
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
