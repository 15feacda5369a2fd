import { assertKnownOptions, optionNames } from '../core/index.ts'
import type { AgentPlaces } from './agent.ts'

// `source` is there where the places are those of agents that are managed.
const PLACES = optionNames<AgentPlaces & { readonly source?: unknown }>({
  workingFolder: true,
  homeFolder: true,
  overrides: true,
  trust: true,
  source: true,
})

/** Refuses a misspelled place: `overides` would leave every override of a config out. */
export function assertAgentPlaces(call: string, places: AgentPlaces): void {
  assertKnownOptions(call, places, PLACES)
}
