import type { Agent, FoundAgents } from '../../agents/index.ts'
import { type LayerInput, presetLayer, roleLayer } from '../../policy/index.ts'
import { type LeftOut, leftOutOfLimits } from './left-out.ts'

/** The settings and limits of an agent that are ignored because their files are not trusted. */
export function leftOutOfAgent(
  { leftOut }: FoundAgents,
  agent: Agent,
  layers: readonly LayerInput[],
): readonly LeftOut[] {
  const role = agent.preset === null ? roleLayer(agent.name) : presetLayer(agent.preset)
  const isOfCall = ({ layer }: LayerInput): boolean => layer === 'call'
  const ranked = [
    role,
    ...layers.filter((layer) => !isOfCall(layer)),
    ...agent.limits.layers,
    ...layers.filter(isOfCall),
  ]
  // A project file with the same name, which this one replaces.
  const others = leftOut.filter(({ path, value }) => path.length === 1 && path[0] === 'name' && value === agent.name)
  const places = [...others.map(({ place }) => place), ...(agent.leftOut ?? [])]
  return [...places.map((place) => ({ place, reason: 'It needs trust.' })), ...leftOutOfLimits(ranked)]
}
