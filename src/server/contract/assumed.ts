import * as z from 'zod/mini'
import { COUNTER_METERS } from '../../core/index.ts'
import { meterKey } from '../../operate/views/amounts-view.ts'
import { reservation } from './calls.ts'
import { count, list } from './fields.ts'
import { amounts } from './meters.ts'

/** Calls whose usage is unknown. */
export const assumedList = z.object({ reservations: list(reservation), isTruncated: z.boolean() })

/** What a call really used, with units in the names: `{ "costNanoUsd": 20000000, "tokens": 812 }`. */
export const actualAmounts = z
  .strictObject(Object.fromEntries(COUNTER_METERS.map((meter) => [meterKey(meter), z.optional(count)])))
  .check(z.refine((given) => Object.keys(given).length > 0, 'at least one amount'))

/** A corrected charge. */
export const corrected = z.object({ id: z.string(), scopePath: z.string(), before: amounts, charged: amounts })
