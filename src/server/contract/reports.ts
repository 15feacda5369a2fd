import * as z from 'zod/mini'
import { count, list, recordOf, time } from './fields.ts'
import { action, amounts, meter, period, unit } from './meters.ts'

export const SPEND_GROUPS = ['hour', 'day', 'agent', 'model', 'tool', 'user', 'team', 'run'] as const

/** Spend by one group, the most expensive first; times in their order. */
export const spend = z.object({
  by: z.enum(SPEND_GROUPS),
  sinceMs: time,
  untilMs: time,
  rows: list(
    z.object({
      /** The name of the model, tool, agent type, user or team; the id of a run; the time as ISO 8601. */
      key: z.string(),
      calls: count,
      totals: amounts,
      /** Its cost in each hour that has one, in their order. */
      hours: list(z.object({ hourMs: time, costNanoUsd: count })),
    }),
  ),
  total: z.object({ calls: count, totals: amounts }),
})

/** Where the money went, in nano-USD. The parts add up to the cost. */
export const costParts = z.object({
  sinceMs: time,
  untilMs: time,
  costNanoUsd: count,
  parts: list(
    z.object({
      /** `closing`, `assumed` and `other` (costs whose parts are unknown) are not divided further. */
      part: z.string(),
      label: z.string(),
      costNanoUsd: count,
      /** `null`: not kept by part. */
      tokens: z.nullable(count),
    }),
  ),
  /** `false`: some of the cost is `other`. */
  isComplete: z.boolean(),
})

/** How often limits were reached, by hour, and what they did. */
export const limitHits = z.object({
  sinceMs: time,
  untilMs: time,
  hours: list(
    z.object({
      hourMs: time,
      /** Runs that reached a limit in this hour. */
      runs: count,
      /** By what the limit did. */
      actions: z.readonly(z.record(action, count)),
    }),
  ),
  actions: z.readonly(z.record(action, count)),
  meters: list(z.object({ meter, count })),
})

/** Averages of ended runs by agent type. */
export const agentAverages = z.object({
  sinceMs: time,
  untilMs: time,
  agents: list(
    z.object({
      agentType: z.nullable(z.string()),
      runs: count,
      /** By status: `completed`, `limit-reached`, … */
      statuses: recordOf(count),
      averageTurns: z.number(),
      averageActiveMs: z.number(),
      averageCostNanoUsd: z.number(),
      totalCostNanoUsd: count,
    }),
  ),
})

/** What runs out first at the current rate. */
export const forecast = z.object({
  /** The soonest first. */
  limits: list(
    z.object({
      scopeId: z.string(),
      scopePath: z.string(),
      meter,
      unit,
      written: z.string(),
      per: period,
      limit: count,
      settled: count,
      remaining: count,
      resetsAt: z.nullable(time),
      /** How much was used in an hour, on average of the last `windowMs`: since the window or the run began. */
      perHour: z.number(),
      windowMs: count,
      /** When it is used up at that rate; `null` if its window resets before. */
      runsOutAtMs: z.nullable(time),
    }),
  ),
})

/** What `stint limits suggest` finds. */
export const suggestions = z.object({
  sinceMs: time,
  suggestions: list(
    z.object({
      agentType: z.string(),
      meter,
      unit,
      /** `null` if there are too few runs, or too many were cut. */
      suggested: z.nullable(count),
      /** The limit of the run that ended last; `null` if it had none. */
      current: z.nullable(count),
      /** Runs that finished their work, and those that a limit cut. */
      done: count,
      cut: count,
      /** What the evidence says, in a few words. */
      text: z.string(),
    }),
  ),
})

/** What `stint limits try` finds. */
export const tried = z.object({
  agent: z.string(),
  /** All that have ended, except those that ended for other reasons than their work or a limit. */
  runs: count,
  done: count,
  /** The runs that would have been cut, the one that would have saved most first. */
  cut: list(
    z.object({
      id: z.string(),
      path: z.string(),
      status: z.string(),
      /** The limit that it would have reached first. */
      meter,
      savedNanoUsd: count,
      /** Its calls are no longer kept: the saving is in proportion. */
      isEstimated: z.boolean(),
    }),
  ),
  /** Of those, how many finished their work as it was. */
  lost: count,
  /** Cut as it was, and within the new limits as far as it got: there is no telling. */
  unknown: count,
  savedNanoUsd: count,
  costNanoUsd: count,
})
