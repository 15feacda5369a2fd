import * as z from 'zod/mini'
import { list } from './fields.ts'

/** An alert that was raised: once per rule, scope and window. */
export const alert = z.object({
  id: z.string(),
  ts: z.string(),
  rule: z.string(),
  message: z.string(),
  scope: z.string(),
  scopePath: z.string(),
  value: z.number(),
  threshold: z.number(),
  windowMs: z.nullable(z.number()),
})

export const alertList = z.object({ alerts: list(alert), isTruncated: z.boolean() })
