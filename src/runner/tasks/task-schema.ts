import { ACCEPTANCE_SCHEMA } from '../../agents/acceptance/acceptance-schema.ts'
import { agentSpawnParamsSchema, type JsonSchema } from '../../policy/index.ts'

/** The published schema of the arguments of `Task`. */
export function taskSchema(): JsonSchema {
  return agentSpawnParamsSchema({ acceptance: { anyOf: [{ const: false }, ACCEPTANCE_SCHEMA] } })
}
