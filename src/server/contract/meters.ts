import * as z from 'zod/mini'
import { ACTIONS, METER_NAMES, PERIODS } from '../../core/index.ts'
import { LAYERS } from '../../core/limits/limit-source.ts'
import { count, list, recordOf, time } from './fields.ts'

export const meter = z.enum(METER_NAMES)
export const unit = z.enum(['count', 'tokens', 'nanoUsd', 'milliseconds'])
export const period = z.nullable(z.enum(PERIODS))
export const action = z.enum(ACTIONS)

/** Amounts with their units in the names: `costNanoUsd`, `timeMs`, `toolCalls`. */
export const amounts = recordOf(z.int())

/** What is known of one meter, in whole numbers of its unit: the same record wherever usage is shown. */
const usageFields = {
  unit,
  limit: z.nullable(count),
  settled: count,
  reserved: count,
  held: count,
  remaining: z.nullable(count),
  overrun: count,
  /** When the limit's window ends; `null` without a period. */
  resetsAt: z.nullable(time),
}

/** The usage of one meter in a row of the live tree. */
export const rowUsage = z.object({
  ...usageFields,
  per: period,
  action: z.nullable(action),
  /** The name the limit was written with: `turns`, `max_turns` or `toolCalls`; `null` without a limit. */
  written: z.nullable(z.string()),
})

/** The usage of one meter, in full. */
export const meterUsage = z.object({
  ...usageFields,
  written: z.nullable(z.string()),
  /** The part of `settled` that is assumed. */
  assumed: count,
  /** Model calls that a provider refused. */
  refused: count,
  /** Every limit on the meter, one per period. The fields above describe the tightest one. */
  windows: list(
    z.object({
      written: z.string(),
      per: period,
      limit: count,
      settled: count,
      reserved: count,
      held: count,
      remaining: count,
      overrun: count,
      assumed: count,
      resetsAt: z.nullable(time),
      scope: z.string(),
    }),
  ),
})

export const usage = z.readonly(z.record(meter, meterUsage))

/** Where a limit was written. */
export const limitSource = z.object({
  layer: z.enum(LAYERS),
  /** The name as written: `max_turns`, `turns` or `toolCalls`. */
  written: z.string(),
  field: z.optional(z.string()),
  file: z.optional(z.string()),
  line: z.optional(z.int()),
  flag: z.optional(z.string()),
  command: z.optional(z.string()),
  variable: z.optional(z.string()),
  preset: z.optional(z.string()),
  call: z.optional(z.string()),
})

/** A limit and its state. */
export const limit = z.object({
  meter,
  unit,
  limit: count,
  per: period,
  timeZone: z.nullable(z.string()),
  action,
  nearing: list(z.number()),
  /** `false`: only the process that runs the scope counts it. */
  isCounted: z.boolean(),
  settled: count,
  assumed: count,
  reserved: count,
  held: count,
  remaining: count,
  overrun: count,
  resetsAt: z.nullable(time),
  layer: z.enum(LAYERS),
  /** Where it is written, as a phrase: `limits.turns in stint.config.yaml:12`. */
  place: z.string(),
  source: limitSource,
})

/** Why something was refused. */
export const breach = z.object({
  key: z.string(),
  scope: z.string(),
  scopePath: z.string(),
  meter,
  limit: count,
  per: period,
  settled: count,
  reserved: count,
  held: count,
  asked: count,
  remaining: count,
  resetsAt: z.nullable(time),
  action,
  source: limitSource,
  leastLimit: z.nullable(count),
  message: z.string(),
})
