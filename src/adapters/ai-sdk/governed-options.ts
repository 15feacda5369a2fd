import type { Phase } from '../../pricing/index.ts'
import type { GovernedModelOptions } from './model/governed-model.ts'
import type { AnyLanguageModel } from './model/language-model.ts'
import type { AnyTools } from './tools/any-tool.ts'
import type { GovernedToolsOptions } from './tools/governed-tools.ts'

/** A step of the loop, as `prepareStep` sees it. */
export interface LoopStep {
  readonly stepNumber: number
  readonly steps: readonly object[]
  readonly messages: readonly unknown[]
}

/** What `governed` reads beside the settings of the AI SDK. */
export interface GovernedOptions
  extends GovernedToolsOptions,
    Pick<GovernedModelOptions, 'input' | 'allowsUnboundedTools' | 'countTokens'> {
  /** Adds the tool `budget`: the agent sees what it has left, and asks a person for more. Default: no. */
  readonly budgetTool?: boolean
  /** A line in the system prompt and hints under tool results when it gets tight. Default: yes. */
  readonly hints?: boolean
  /** One closing call without tools when a limit ends the work. Default: yes, unless the scope was opened without. */
  readonly wrapUp?: boolean
  /** Which cost meter a step counts on, beside `cost`. Default: `execution`. */
  readonly phase?: Phase | ((step: LoopStep) => Phase)
  /** The models of the phases, where they are not `model`. */
  readonly models?: Readonly<Partial<Record<Phase, AnyLanguageModel | string>>>
}

/** The settings of the AI SDK through which a loop spends. */
export interface AgentParts {
  readonly model?: AnyLanguageModel | string | undefined
  readonly tools?: AnyTools | undefined
  readonly stopWhen?: unknown
  readonly prepareStep?: unknown
}

/** The settings of the AI SDK as far as we look: `ToolLoopAgent`, `generateText` and `streamText` have them alike. */
export interface AgentSettings extends AgentParts {
  readonly model: AnyLanguageModel | string
  readonly prepareCall?: unknown
  readonly onError?: unknown
}
