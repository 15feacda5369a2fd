import * as z from 'zod/mini'
import { CALL_ENDINGS, EVENT_NAMES } from '../../core/index.ts'
import { count, list, recordOf, time } from './fields.ts'
import { amounts } from './meters.ts'

/** A call, as the ledger keeps it. */
export const reservation = z.object({
  id: z.string(),
  scopeId: z.string(),
  scopePath: z.string(),
  /** The scopes that pay, from the root to its own. */
  scopeIds: list(z.string()),
  holder: z.string(),
  state: z.enum(['open', 'settled', 'released', 'assumed']),
  reserved: amounts,
  /** `null` while it is open. */
  charged: z.nullable(amounts),
  atMs: time,
  /** The granted output cap of a model call. */
  units: count,
  about: z.nullable(
    z.object({
      call: z.enum(['model', 'tool', 'other']),
      /** The model or the tool. */
      name: z.nullable(z.string()),
      provider: z.optional(z.string()),
      phase: z.optional(z.enum(['planning', 'execution'])),
      attempt: z.optional(count),
      /** The requested output cap. */
      outputTokens: z.optional(count),
      /** It is the closing call of its scope. */
      isClosing: z.optional(z.boolean()),
      /** How long it waited for calls in flight before there was room for it. */
      waitedMs: z.optional(count),
      /** The hint about the budget that its prompt has for the first time. */
      hint: z.optional(z.string()),
    }),
  ),
  result: z.nullable(
    z.object({
      ending: z.enum(CALL_ENDINGS),
      /** Tokens by price class, as the provider reported them. */
      usage: z.optional(recordOf(z.optional(z.number()))),
      price: z.optional(z.string()),
    }),
  ),
  endedAtMs: z.nullable(time),
})

/** An event, as in the log; `record` is the call that it is about. Further fields: docs/reference/events.md. */
export const entry = z.looseObject({
  event: z.enum(EVENT_NAMES),
  ts: z.string(),
  /** Numbers the events of a tree from 1. */
  seq: count,
  run_id: z.string(),
  task_id: z.nullable(z.string()),
  agent_name: z.string(),
  agent_type: z.nullable(z.string()),
  scope: z.string(),
  scope_path: z.string(),
  record: z.optional(reservation),
})

/** What happened in a scope and below it, in order. */
export const history = z.object({
  entries: list(entry),
  /** Pass it as `since` for what comes next, and the `seq` of the first entry as `before` for what came earlier. */
  cursor: count,
  hasMore: z.boolean(),
  /** Events after `since` have been pruned: continue from `cursor`. */
  isReset: z.boolean(),
})
