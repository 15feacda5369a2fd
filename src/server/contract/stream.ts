import * as z from 'zod/mini'
import { alert } from './alerts.ts'
import { list } from './fields.ts'
import { increaseRequest } from './requests.ts'
import { scopeRow } from './scopes.ts'

/**
 * What `GET /api/stream` sends, by event name. Each has an id: pass the last one as `since` to resume. States are
 * absolute, so that applying one twice does no harm.
 */
export const STREAM = {
  /** The current state of scopes that changed, and those to remove. */
  scopes: z.object({ scopes: list(scopeRow), gone: list(z.string()) }),
  /** Requests for more that are new or were answered. */
  requests: z.object({ requests: list(increaseRequest) }),
  /** Alerts that were raised just now. */
  alerts: z.object({ alerts: list(alert) }),
  /** Too much was missed: load the tree again and resume from its cursor. */
  reset: z.object({ reason: z.string() }),
} as const
