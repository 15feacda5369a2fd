import { METERS } from '../../core/index.ts'
import { adviceText } from './advice-text.ts'
import type { AgentAdvice } from './suggest-limits.ts'
import type { TriedLimits } from './try-limits.ts'

/** Suggestions as JSON. */
export function adviceView({ agent, quantile, done, cut, other, limits }: AgentAdvice) {
  return {
    agent,
    quantile,
    runs: { done, cut, other },
    limits: limits.map((limit) => ({ ...limit, unit: METERS[limit.meter].unit, text: adviceText(limit) })),
  }
}

/** What other limits would have done, as JSON. */
export function triedView({ cut, ...tried }: TriedLimits) {
  return {
    ...tried,
    cut: cut.map(({ run, meter, savedNanoUsd, isEstimated }) => {
      const { id, path, status } = run.scope
      return { id, path, status, meter, savedNanoUsd, isEstimated }
    }),
  }
}

/** The same for an agent that has not run. */
export function noneTriedView(agent: string) {
  return { agent, runs: 0, done: 0, cut: [], lost: 0, unknown: 0, savedNanoUsd: 0, costNanoUsd: 0 }
}
