export { formatAmount } from '../core/amounts/format-amount.ts'
export { formatMaximum } from '../core/amounts/format-maximum.ts'
export { suggestName } from '../core/checks/suggest-name.ts'
export type { LimitDetail, LimitsInput, LimitsObject } from './formats/limits-input.ts'
export {
  type AgentFieldsFormat,
  type AgentFieldsOptions,
  type AgentFormat,
  type AgentLimits,
  limitFieldsOf,
  parseAgentFields,
} from './formats/parse-agent-fields.ts'
export { type AskAbove, parseAskAbove } from './formats/parse-ask-above.ts'
export {
  EXECUTION_LIMIT_DEFAULTS,
  type ExecutionLimits,
  parseExecutionLimits,
  type SharedLimits,
} from './formats/parse-execution-limits.ts'
export { parseLimits } from './formats/parse-limits.ts'
export {
  inLayer,
  type LimitEntry,
  type ParsedLimits,
  type RemovalEntry,
  type SetEntry,
} from './formats/parsed-limits.ts'
export { type LimitsRewrite, rewriteLimits } from './formats/rewrite-limits.ts'
export { type ExplanationRow, explainLimits } from './layers/explain-limits.ts'
export { formatExplanation } from './layers/format-explanation.ts'
export { onlyTightens } from './layers/only-tightens.ts'
export { presetLayer, type RoleOptions, roleLayer } from './layers/preset-layer.ts'
export { DEFAULT_ROLE_LIMITS, DEFAULT_SUBAGENT_LIMITS, findPreset, PRESETS, type Preset } from './layers/presets.ts'
export type { LayerInput } from './layers/read-layers.ts'
export { resolveLimits } from './layers/resolve-limits.ts'
export type { LimitStep, Notice, RemovedLimit, ResolvedLimits } from './layers/resolved-limits.ts'
export { type LimitStatement, splitByTrust } from './layers/split-by-trust.ts'
export { tightenDepth } from './layers/tighten-depth.ts'
export { InvalidLimitError, type LimitProblem } from './limits/invalid-limit-error.ts'
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
} from './limits/limit-builders.ts'
export { LIMIT_ALIASES, type LimitFormat } from './limits/limit-names.ts'
export { parseLimit } from './limits/parse-limit.ts'
export type { ParseOptions, WrittenAt } from './limits/written-at.ts'
export { agentSpawnParamsSchema } from './schema/agent-spawn-params-schema.ts'
export type { JsonSchema } from './schema/json-schema.ts'
export { limitsSchema } from './schema/limits-schema.ts'
