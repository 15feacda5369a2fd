import type { JsonSchema } from '../policy/index.ts'

const LONGEST_NAME = 64

/** The pattern of an agent's name, which is part of file names, scope paths and commands. */
const NAME_PATTERN = `^(?!.*\\.\\.)[\\p{L}\\p{N}_](?:[\\p{L}\\p{N} ._-]{0,${LONGEST_NAME - 2}}[\\p{L}\\p{N}_-])?$`

export const AGENT_NAME_SCHEMA: JsonSchema = { type: 'string', pattern: NAME_PATTERN }

const NAME = new RegExp(NAME_PATTERN, 'u')

export const AGENT_NAME_FORM = `letters, digits, "-", "_" and single dots, at most ${LONGEST_NAME} of them, e.g. code-reviewer`

/** Whether it is a valid name for an agent. */
export function isAgentName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value)
}
