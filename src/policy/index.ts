export { formatAmount } from '../core/format-amount.ts'
export { formatMaximum } from '../core/format-maximum.ts'
export { suggestName } from '../core/suggest-name.ts'
export { believedLimits, type LimitStatement } from './believed-limits.ts'
export { type ExplanationRow, explainLimits, type Overridden } from './explain-limits.ts'
export { formatExplanation } from './format-explanation.ts'
export { InvalidLimitError, type LimitProblem } from './invalid-limit-error.ts'
export {
  concurrencyLimit,
  costLimit,
  depthLimit,
  executionCostLimit,
  idleTimeLimit,
  type LimitBuilder,
  type LimitOptions,
  messageLimit,
  modelCallLimit,
  outputTokenLimit,
  planningCostLimit,
  spawnLimit,
  timeLimit,
  tokenLimit,
  toolCallLimit,
  uncachedTokenLimit,
  wallTimeLimit,
} from './limit-builders.ts'
export { LIMIT_ALIASES, type LimitFormat, type LimitName } from './limit-names.ts'
export type { ActionWord, LimitDetail, LimitsInput, LimitsObject, LimitValue } from './limits-input.ts'
export { onlyTightens } from './only-tightens.ts'
export {
  type AgentFieldsFormat,
  type AgentFieldsOptions,
  type AgentFormat,
  type AgentLimits,
  limitFieldsOf,
  parseAgentFields,
} from './parse-agent-fields.ts'
export {
  EXECUTION_LIMIT_DEFAULTS,
  type ExecutionLimits,
  parseExecutionLimits,
  type SharedLimits,
} from './parse-execution-limits.ts'
export { parseLimit } from './parse-limit.ts'
export { parseLimits } from './parse-limits.ts'
export type { ParseOptions } from './parse-options.ts'
export { inLayer, type LimitEntry, type ParsedLimits, type RemovalEntry, type SetEntry } from './parsed-limits.ts'
export { presetLayer, type RoleOptions, roleLayer } from './preset-layer.ts'
export { DEFAULT_ROLE_LIMITS, DEFAULT_SUBAGENT_LIMITS, findPreset, PRESETS, type Preset } from './presets.ts'
export type { LayerInput, ResolvableLayer } from './read-layers.ts'
export { resolveLimits } from './resolve-limits.ts'
export type { LimitStep, Notice, RemovedLimit, ResolvedLimits } from './resolved-limits.ts'
export { type LimitsRewrite, rewriteLimits } from './rewrite-limits.ts'
export { agentSpawnParamsSchema } from './schema/agent-spawn-params-schema.ts'
export type { JsonSchema } from './schema/json-schema.ts'
export { limitsSchema } from './schema/limits-schema.ts'
export { tightenDepth } from './tighten-depth.ts'
export type { WrittenAt } from './written-at.ts'
