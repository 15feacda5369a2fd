import * as z from 'zod/mini'
import { count, list, time } from './fields.ts'
import { meter, period, unit } from './meters.ts'

/** A request for more of one limit, in whole numbers of `unit`. */
export const increaseRequest = z.object({
  id: z.string(),
  scopeId: z.string(),
  scopePath: z.string(),
  meter,
  unit,
  per: period,
  key: z.string(),
  settled: count,
  limit: count,
  /** The requested increase. */
  asked: count,
  reason: z.string(),
  status: z.enum(['open', 'approved', 'denied', 'expired']),
  /** The granted increase. */
  granted: z.nullable(count),
  by: z.nullable(z.string()),
  openedAtMs: time,
  expiresAtMs: time,
  answeredAtMs: z.nullable(time),
})

export const requestList = z.object({ requests: list(increaseRequest), isTruncated: z.boolean() })

export const answeredRequest = z.object({
  request: increaseRequest,
  /** The scopes that waited for the answer after their process ended. */
  left: list(z.string()),
})
