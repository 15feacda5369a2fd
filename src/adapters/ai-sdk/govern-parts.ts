import type { Scope } from '../../governor/index.ts'
import type { Phase } from '../../pricing/index.ts'
import { DEFAULT_PHASE } from '../../pricing/usage/amounts-from-usage.ts'
import { beginStep, loopOf, runOutsideLoops } from './agent-loop.ts'
import { endsLoops } from './ends-loops.ts'
import type { AgentParts, AgentSettings, GovernedOptions, LoopStep } from './governed-options.ts'
import { governedModel } from './model/governed-model.ts'
import type { AnyLanguageModel } from './model/language-model.ts'
import { modelFrom } from './model/model-from.ts'
import type { AnyTools } from './tools/any-tool.ts'
import { assertDeclared } from './tools/assert-declared.ts'
import { withBudgetTool } from './tools/budget-tool.ts'
import { countInvalidCalls } from './tools/count-invalid-calls.ts'
import { declarationOf, type ToolDeclarations } from './tools/declaration-of.ts'
import { governAll } from './tools/governed-tools.ts'

type Model = AnyLanguageModel | string

interface PartsGovernor {
  /** The governed parts of the settings. */
  readonly own: AgentParts
  /** Those of a call that was prepared from `call`: governs whatever has changed. */
  governCall(prepared: AgentParts, call: AgentParts): AgentParts
}

/** Governs the parts of an agent's settings, and of each prepared call. */
export function createPartsGovernor(scope: Scope, settings: AgentSettings & GovernedOptions): PartsGovernor {
  const { budgetTool = false, declare = {}, hints = true, input, models, phase, repeatGuard = false } = settings
  const { allowsUnboundedTools = false, countTokens } = settings
  const firstPhase = typeof phase === 'function' ? undefined : phase

  const governModel = (model: Model, at: Phase | undefined): AnyLanguageModel =>
    governedModel(scope, model, {
      hints,
      allowsUnboundedTools,
      ...(input === undefined ? {} : { input }),
      ...(countTokens === undefined ? {} : { countTokens }),
      ...(at === undefined ? {} : { phase: at }),
    }) as AnyLanguageModel

  const governTools = (tools: AnyTools | undefined): AnyTools | undefined => {
    const all = budgetTool ? withBudgetTool(scope, tools) : tools
    return all === undefined ? undefined : governAll(scope, all, { declare, repeatGuard })
  }

  const governSteps = (prepareStep: unknown, model: Model) => {
    return async (step: LoopStep): Promise<object | undefined> => {
      beginStep(scope, step)
      await countInvalidCalls(loopOf(scope), step.steps.at(-1), { declare, repeatGuard })
      // It receives the original model, and may return it.
      const given = { ...step, model: modelFrom(model) }
      const prepared = await runOutsideLoops(() => (prepareStep as PrepareStep | undefined)?.(given))
      const at = (typeof phase === 'function' ? phase(step) : phase) ?? DEFAULT_PHASE
      const next = prepared?.model ?? models?.[at] ?? (phase === undefined ? undefined : model)
      return next === undefined ? prepared : { ...prepared, model: governModel(next, at) }
    }
  }

  const hasEnded = ({ steps }: { readonly steps: readonly FinishedStep[] }): boolean =>
    loopOf(scope).closingText !== null || endsWork(steps.at(-1), declare)
  const governStop = (stopWhen: unknown) => [...(Array.isArray(stopWhen) ? stopWhen : [stopWhen]), hasEnded]

  const own = ownParts()
  return { own, governCall }

  function ownParts(): AgentParts {
    const { model, stopWhen, prepareStep } = settings
    const tools = governTools(settings.tools)
    // A prepared call may add the declared tools.
    if (settings.prepareCall === undefined) assertDeclared(tools ?? {}, declare)
    const isBounded = stopWhen !== undefined || endsLoops(scope.limits(), phase)
    return {
      model: governModel(model, firstPhase),
      ...(tools === undefined ? {} : { tools }),
      ...(isBounded ? { stopWhen: governStop(stopWhen ?? []) } : {}),
      prepareStep: governSteps(prepareStep, model),
    }
  }

  function governCall(prepared: AgentParts, call: AgentParts): AgentParts {
    const { model = own.model, tools, stopWhen, prepareStep } = prepared
    assertDeclared({ ...own.tools, ...tools }, declare)
    const given = model === undefined || model === own.model ? settings.model : model
    const steps = prepareStep === own.prepareStep ? settings.prepareStep : prepareStep
    return {
      model: governModel(given, firstPhase),
      ...(tools === undefined ? {} : { tools: governTools(tools) }),
      ...(stopWhen === undefined || stopWhen === call.stopWhen ? {} : { stopWhen: governStop(stopWhen) }),
      prepareStep: governSteps(steps, given),
    }
  }
}

type PrepareStep = (
  step: LoopStep & { readonly model: AnyLanguageModel },
) => Promise<{ readonly model?: Model } | undefined>

interface FinishedStep {
  readonly toolResults?: readonly { readonly toolName: string }[]
}

/** Whether a tool that ends the work has run in a step. */
function endsWork(step: FinishedStep | undefined, declare: ToolDeclarations): boolean {
  const results = step?.toolResults ?? []
  return results.some(({ toolName }) => declarationOf(declare, toolName).endsWork === true)
}
