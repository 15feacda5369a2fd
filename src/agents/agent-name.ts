import type { JsonSchema } from '../policy/index.ts'

const LONGEST_NAME = 64

/** What a name of an agent is, as a pattern. It is part of a file's name, of a path of scopes and of commands. */
const NAME_PATTERN = `^(?!.*\\.\\.)[\\p{L}\\p{N}_](?:[\\p{L}\\p{N} ._-]{0,${LONGEST_NAME - 2}}[\\p{L}\\p{N}_-])?$`

export const AGENT_NAME_SCHEMA: JsonSchema = { type: 'string', pattern: NAME_PATTERN }

const NAME = new RegExp(NAME_PATTERN, 'u')

export const AGENT_NAME_FORM = `letters, digits, "-", "_" and single dots, at most ${LONGEST_NAME} of them, e.g. code-reviewer`

/** Whether an agent can be called so. */
export function isAgentName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value)
}
