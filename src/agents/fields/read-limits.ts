import { isStintError } from '../../core/index.ts'
import {
  type AgentFieldsFormat,
  type AgentLimits,
  type InvalidLimitError,
  type ParsedLimits,
  parseAgentFields,
} from '../../policy/index.ts'
import type { AgentProblem } from '../agent-problem.ts'
import { limitProblems } from './limit-problems.ts'
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
