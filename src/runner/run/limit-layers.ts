import { assertWholeNumber, InvalidOptionError } from '../../core/index.ts'
import { type LayerInput, presetLayer, roleLayer, type SharedLimits } from '../../policy/index.ts'
import type { RunRequest } from './run-request.ts'

/**
 * The layers of a run's limits: those of its role, of the config and the environment, of the agent's file and of the
 * call. They rank by their names; of two with the same name the later wins, so that an agent's file is nearer than the
 * config beside it.
 */
export function limitLayers(request: RunRequest): readonly LayerInput[] {
  const { agent, layers = [] } = request
  const role = agent.preset === null ? roleLayer(agent.name) : presetLayer(agent.preset)
  const isOfCall = ({ layer }: LayerInput): boolean => layer === 'call'
  return [
    role,
    ...layers.filter((layer) => !isOfCall(layer)),
    ...agent.limits.layers,
    ...layers.filter(isOfCall),
    ...timeoutLayer(request),
  ]
}

const LONGEST_TIMEOUT_MS = 366 * 24 * 60 * 60 * 1000

/** A deadline of the call ends the run, whatever its other limits do. */
function timeoutLayer({ timeoutMs, maxRuntimeMs }: RunRequest): readonly LayerInput[] {
  const isGivenTwice = timeoutMs !== undefined && maxRuntimeMs !== undefined
  if (isGivenTwice && timeoutMs !== maxRuntimeMs) {
    const form = `${timeoutMs}, like timeoutMs: the two are aliases of one limit. Give one of them, or both the same`
    throw new InvalidOptionError('maxRuntimeMs', maxRuntimeMs, form)
  }
  const max = timeoutMs ?? maxRuntimeMs
  if (max === undefined) return []
  const written = timeoutMs === undefined ? 'maxRuntimeMs' : 'timeoutMs'
  assertWholeNumber(written, max, 1, LONGEST_TIMEOUT_MS)
  return [{ layer: 'call', call: 'runner.run', limits: { [written]: { max, action: 'terminate' } } }]
}

/** What the config, the agent's file and the call say of the budgets of the caller's team and user. */
export function sharedLimits({ agent, sharedLimits: given }: RunRequest): SharedLimits {
  const { team = [], user = [] } = given ?? {}
  return { team: [...agent.limits.team, ...team], user: [...agent.limits.user, ...user] }
}
