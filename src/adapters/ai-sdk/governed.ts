import { isLimitExceeded, isStintError, optionNames } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'
import { loopOf, runOutsideLoops } from './agent-loop.ts'
import { createPartsGovernor } from './govern-parts.ts'
import type { AgentParts, AgentSettings, GovernedOptions } from './governed-options.ts'
import { refuseNearMiss } from './refuse-near-miss.ts'
import { messagesOf } from './run/messages-of.ts'
import { unwrapRetry } from './unwrap-retry.ts'

const OWN_OPTIONS = [
  ...optionNames<GovernedOptions>({
    allowsUnboundedTools: true,
    budgetTool: true,
    countTokens: true,
    declare: true,
    hints: true,
    input: true,
    models: true,
    phase: true,
    repeatGuard: true,
    wrapUp: true,
  }),
]

/**
 * Returns settings for `new ToolLoopAgent(…)`, `generateText(…)` or `streamText(…)` that charge everything the loop
 * spends to `scope`. Without limits, nothing changes. Under a limit that ends the loop, and without your own
 * `stopWhen`, the budget bounds the loop instead of the AI SDK's default number of steps.
 */
export function governed<Settings extends AgentSettings>(
  scope: Scope,
  settings: Settings & GovernedOptions,
): Omit<Settings, keyof GovernedOptions> {
  refuseNearMiss('governed', settings, OWN_OPTIONS)
  const { allowsUnboundedTools, budgetTool, countTokens, declare, hints, input, models, phase, ...others } = settings
  const { repeatGuard, wrapUp = true, ...rest } = others
  if (wrapUp) loopOf(scope).wrapsUp = edgeOf(scope).expectWrapUp()
  const parts = createPartsGovernor(scope, settings)
  const prepareCall = settings.prepareCall as PrepareCall | undefined

  /** A prepared call may have another model, other tools or other steps: they are governed too. */
  const prepareGoverned: PrepareCall = async (call) => {
    const prepared = (await runOutsideLoops(() => prepareCall?.(call))) ?? call
    loopOf(scope).given = messagesOf(prepared)
    return { ...prepared, ...parts.governCall(prepared, call) }
  }
  const governedSettings: AgentSettings = {
    ...outsideLoops(rest),
    ...parts.own,
    onError: settings.onError ?? reportError,
    ...(prepareCall === undefined ? {} : { prepareCall: prepareGoverned }),
  }
  return governedSettings as Omit<Settings, keyof GovernedOptions>
}

/** Settings whose functions are not part of the loop: one that calls a model itself does not affect it. */
function outsideLoops<Settings extends object>(settings: Settings): Settings {
  const entries = Object.entries(settings).map(([name, setting]) => {
    if (typeof setting !== 'function') return [name, setting]
    return [name, (...given: unknown[]) => runOutsideLoops(() => setting(...given))]
  })
  return Object.fromEntries(entries)
}

type Call = AgentParts & { readonly prompt?: unknown; readonly messages?: unknown }
type PrepareCall = (call: Call) => Promise<Call | undefined>

/** Like the AI SDK's default, except that a reached limit or a pause is not printed as an error. */
function reportError({ error }: { readonly error: unknown }): void {
  const own = unwrapRetry(error)
  if (!isLimitExceeded(own) && !isStintError(own, 'scope_paused')) console.error(error)
}
