export { governed } from './governed.ts'
export type { AgentParts, AgentSettings, GovernedOptions, LoopStep } from './governed-options.ts'
export {
  type FallbackChoice,
  type GovernedFallbackOptions,
  governedFallback,
  type ModelAttempt,
} from './model/fallback/governed-fallback.ts'
export { type GovernedModel, type GovernedModelOptions, governedModel } from './model/governed-model.ts'
export type { AnyLanguageModel, CallOptions, LanguageModelV3 } from './model/language-model.ts'
export type { ModelSettings } from './model/model-settings.ts'
export type { TokenCountRequest } from './model/token-count-request.ts'
export type { GovernedResult } from './run/governed-result.ts'
export type { ApprovalRequest } from './run/open-approvals.ts'
export type { ResumeOptions, RunOptions } from './run/resume-options.ts'
export type { AnyAgent, RunInput } from './run/run-agent.ts'
export { resumeGoverned, runGoverned } from './run/run-governed.ts'
export type { AnyTool, AnyTools, ToolDeclaration } from './tools/any-tool.ts'
export { type BudgetInput, budgetTool } from './tools/budget-tool.ts'
export type { ToolDeclarations } from './tools/declaration-of.ts'
export { type GovernedToolsOptions, governedTools } from './tools/governed-tools.ts'
export { ToolRefusedError } from './tools/tool-refused-error.ts'
