import { assertWholeNumber, InvalidOptionError } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import { type LayerInput, presetLayer, roleLayer, type SharedLimits } from '../../policy/index.ts'
import { askAboveLayers, consentLayers, type Threshold, thresholdFrom } from './consent-layers.ts'
import type { RunRequest } from './run-request.ts'

/**
 * The layers of a run's limits: those of its role, the config, the environment, the agent's file and the call. They
 * rank by name; of two with the same name the later wins, so that an agent's file wins over the config of the same
 * layer.
 */
export function limitLayers(request: RunRequest): readonly LayerInput[] {
  const layers = ownLayers(request)
  return [...layers, ...consentLayers(layers, thresholdOf(request))]
}

/** What it may start before a person is asked: of the config, then the agent's file, then the call. */
export function thresholdOf({ agent, askAbove }: RunRequest): Threshold {
  const given = askAboveLayers(askAbove, 'runner.run')
  const isOfCall = ({ layer }: LayerInput): boolean => layer === 'call'
  return thresholdFrom([
    ...given.filter((each) => !isOfCall(each)),
    ...agent.limits.askAbove,
    ...given.filter(isOfCall),
  ])
}

function ownLayers(request: RunRequest): readonly LayerInput[] {
  const { agent, layers = [], within = null } = request
  const subagent = within !== null && edgeOf(within).isWithinAgent()
  const role = agent.preset === null ? roleLayer(agent.name, { subagent }) : presetLayer(agent.preset)
  const isOfCall = ({ layer }: LayerInput): boolean => layer === 'call'
  return [
    ...delegatingLayer(request),
    role,
    ...layers.filter((layer) => !isOfCall(layer)),
    ...agent.limits.layers,
    ...layers.filter(isOfCall),
    ...timeoutLayer(request),
  ]
}

const DELEGATING = { depth: 2, concurrency: 8 } as const

/** Agents that start agents that start agents: without a bound, only the budget would stop a runaway tree. */
function delegatingLayer({ agent, allowedTools }: RunRequest): readonly LayerInput[] {
  const names = (allowedTools ?? agent.tools ?? []).map((name) => name.trim().toLowerCase())
  const delegates = names.includes('subagent') || names.includes('handoff')
  return delegates ? [{ layer: 'defaults', limits: DELEGATING }] : []
}

const LONGEST_TIMEOUT_MS = 366 * 24 * 60 * 60 * 1000

/** A call's deadline ends the run, whatever the action of its other limits. */
export function timeoutLayer(
  { timeoutMs, maxRuntimeMs }: Pick<RunRequest, 'timeoutMs' | 'maxRuntimeMs'>,
  call = 'runner.run',
): readonly LayerInput[] {
  const isGivenTwice = timeoutMs !== undefined && maxRuntimeMs !== undefined
  if (isGivenTwice && timeoutMs !== maxRuntimeMs) {
    const form = `${timeoutMs}, like timeoutMs: the two are aliases of one limit. Give one of them, or both the same`
    throw new InvalidOptionError('maxRuntimeMs', maxRuntimeMs, form)
  }
  const max = timeoutMs ?? maxRuntimeMs
  if (max === undefined) return []
  const written = timeoutMs === undefined ? 'maxRuntimeMs' : 'timeoutMs'
  assertWholeNumber(written, max, 1, LONGEST_TIMEOUT_MS)
  return [{ layer: 'call', call, limits: { [written]: { max, action: 'terminate' } } }]
}

/** The limits for the budgets of the caller's team and user, from the config, the agent's file and the call. */
export function sharedLimits({ agent, sharedLimits: given }: RunRequest): SharedLimits {
  const { team = [], user = [] } = given ?? {}
  return { team: [...agent.limits.team, ...team], user: [...agent.limits.user, ...user] }
}
