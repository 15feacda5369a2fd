import { isEnforced, isLimitExceeded, isStintError, type Limit } from '../../core/index.ts'
import { expectWrapUp, type Scope } from '../../governor/index.ts'
import type { Phase } from '../../pricing/index.ts'
import { loopOf } from './agent-loop.ts'
import { type GovernedModelOptions, governedModel } from './model/governed-model.ts'
import type { AnyLanguageModel } from './model/language-model.ts'
import type { AnyTools } from './tools/any-tool.ts'
import { budgetTool } from './tools/budget-tool.ts'
import { type GovernedToolsOptions, governedTools } from './tools/governed-tools.ts'

/** A step of the loop, as `prepareStep` sees it. */
export interface LoopStep {
  readonly stepNumber: number
  readonly steps: readonly unknown[]
  readonly messages: readonly unknown[]
}

/** What `governed` reads beside the settings of the AI SDK. */
export interface GovernedOptions extends GovernedToolsOptions, Pick<GovernedModelOptions, 'input'> {
  /** Adds the tool `budget`: the agent sees what it has left, and asks a person for more. Default: no. */
  readonly budgetTool?: boolean
  /** A line in the system prompt and hints under tool results when it gets tight. Default: yes. */
  readonly hints?: boolean
  /** One closing call without tools when a limit ends the work. Default: yes, unless the scope was opened without. */
  readonly wrapUp?: boolean
  /** Which cost meter a step counts on, beside `cost`. */
  readonly phase?: Phase | ((step: LoopStep) => Phase)
  /** The models of the phases, where they are not `model`. */
  readonly models?: Readonly<Partial<Record<Phase, AnyLanguageModel | string>>>
}

/** The settings of the AI SDK as far as we look: `ToolLoopAgent`, `generateText` and `streamText` have them alike. */
export interface AgentSettings {
  readonly model: AnyLanguageModel | string
  readonly tools?: AnyTools | undefined
  readonly stopWhen?: unknown
  readonly prepareStep?: unknown
  readonly prepareCall?: unknown
  readonly onError?: unknown
}

type OwnOption = keyof GovernedOptions

/**
 * The settings for `new ToolLoopAgent(…)`, `generateText(…)` or `streamText(…)` under which everything that the loop
 * spends is spent by `scope`. Without limits it behaves as without us. Under a limit that ends the loop, and without a
 * `stopWhen` of your own, the budget is the bound, and not the number of steps that the AI SDK has as its default.
 */
export function governed<Settings extends AgentSettings>(
  scope: Scope,
  settings: Settings & GovernedOptions,
): Omit<Settings, OwnOption> {
  const {
    budgetTool: hasBudgetTool = false,
    declare,
    hints = true,
    input,
    models,
    phase,
    repeatGuard = false,
    wrapUp = true,
    ...rest
  } = settings
  const loop = loopOf(scope)
  if (wrapUp) loop.wrapsUp = expectWrapUp(scope)
  const modelOptions = { hints, ...(input === undefined ? {} : { input }) }
  const govern = (model: AnyLanguageModel | string, at?: Phase): AnyLanguageModel =>
    governedModel(scope, model, { ...modelOptions, ...(at === undefined ? {} : { phase: at }) }) as AnyLanguageModel
  const toolOptions = { repeatGuard, ...(declare === undefined ? {} : { declare }) }
  const governTools = (tools: AnyTools | undefined): AnyTools | undefined => {
    const all = hasBudgetTool ? { ...tools, budget: budgetTool(scope) } : tools
    return all === undefined ? undefined : governedTools(scope, all, toolOptions)
  }

  const firstPhase = typeof phase === 'function' ? undefined : phase
  const tools = governTools(settings.tools)
  const stopWhen = stopConditions(scope, settings.stopWhen, () => loop.isWorkEnded || loop.closingText !== null)
  const prepareStep = async (step: LoopStep): Promise<object | undefined> => {
    loop.conversation = [...step.messages]
    const prepared = await (settings.prepareStep as PrepareStep | undefined)?.(step)
    const at = typeof phase === 'function' ? phase(step) : phase
    const model = prepared?.model ?? (at === undefined ? undefined : (models?.[at] ?? settings.model))
    return model === undefined ? prepared : { ...prepared, model: govern(model, at) }
  }
  const governedSettings = {
    ...rest,
    model: govern(settings.model, firstPhase),
    ...(tools === undefined ? {} : { tools }),
    ...(stopWhen === undefined ? {} : { stopWhen }),
    prepareStep,
    onError: settings.onError ?? tellError,
    ...(settings.prepareCall === undefined ? {} : { prepareCall: prepareCallWith(settings.prepareCall) }),
  }

  /** What a call is prepared with may be another model, or other tools: they are governed too. */
  function prepareCallWith(prepareCall: unknown) {
    return async (call: object): Promise<object> => {
      const prepared = await (prepareCall as (call: object) => Promise<Partial<AgentSettings>>)(call)
      const { model, tools: given } = prepared
      return {
        ...prepared,
        ...(model === undefined ? {} : { model: govern(model, firstPhase) }),
        ...(given === undefined ? {} : { tools: governedTools(scope, given, { repeatGuard }) }),
      }
    }
  }
  return governedSettings as AgentSettings as Omit<Settings, OwnOption>
}

/** Like the default of the AI SDK, but that a limit was reached, or the run paused, is no error to print. */
function tellError({ error }: { readonly error: unknown }): void {
  if (!isLimitExceeded(error) && !isStintError(error, 'scope_paused')) console.error(error)
}

type PrepareStep = (step: LoopStep) => Promise<{ readonly model?: AnyLanguageModel | string } | undefined>

function stopConditions(scope: Scope, own: unknown, hasEnded: () => boolean): readonly unknown[] | undefined {
  if (own !== undefined) return [...(Array.isArray(own) ? own : [own]), hasEnded]
  return scope.limits().some(endsLoops) ? [hasEnded] : undefined
}

function endsLoops({ meter, action }: Limit): boolean {
  return (
    isEnforced(action) && meter !== 'spawns' && meter !== 'depth' && meter !== 'concurrency' && meter !== 'idleTime'
  )
}
