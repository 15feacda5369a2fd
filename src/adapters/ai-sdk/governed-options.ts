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

/** The options of `governed`, in addition to the AI SDK's settings. */
export interface GovernedOptions
  extends GovernedToolsOptions,
    Pick<GovernedModelOptions, 'input' | 'allowsUnboundedTools' | 'countTokens'> {
  /** Adds the tool `budget`: the agent sees what it has left, and can ask a person for more. Default: no. */
  readonly budgetTool?: boolean
  /** Adds a line to the system prompt, and hints to tool results when a limit gets tight. Default: yes. */
  readonly hints?: boolean
  /**
   * Makes one closing call without tools when a limit ends the work. Default: yes, unless the scope was opened without.
   */
  readonly wrapUp?: boolean
  /** The cost meter that a step counts on, in addition to `cost`. Default: `execution`. */
  readonly phase?: Phase | ((step: LoopStep) => Phase)
  /** The models of the phases, if they differ from `model`. */
  readonly models?: Readonly<Partial<Record<Phase, AnyLanguageModel | string>>>
}

/** The AI SDK settings through which a loop spends. */
export interface AgentParts {
  readonly model?: AnyLanguageModel | string | undefined
  readonly tools?: AnyTools | undefined
  readonly stopWhen?: unknown
  readonly prepareStep?: unknown
}

/** The AI SDK settings that we read, common to `ToolLoopAgent`, `generateText` and `streamText`. */
export interface AgentSettings extends AgentParts {
  readonly model: AnyLanguageModel | string
  readonly prepareCall?: unknown
  readonly onError?: unknown
}
