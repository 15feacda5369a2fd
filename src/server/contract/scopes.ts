import * as z from 'zod/mini'
import { SCOPE_KINDS, STATUSES } from '../../core/index.ts'
import { reservation } from './calls.ts'
import { count, list, recordOf, time } from './fields.ts'
import { action, breach, limit, limitSource, meter, period, rowUsage, usage } from './meters.ts'
import { increaseRequest } from './requests.ts'
import { taskDetails } from './tasks.ts'

const status = z.enum(STATUSES)
const kind = z.enum(SCOPE_KINDS)

/** What a scope is for and who started it. */
const about = z.object({
  command: z.optional(z.string()),
  task: z.optional(z.string()),
  by: z.optional(z.string()),
  folder: z.optional(z.string()),
  host: z.optional(z.string()),
})

/** A scope in the live tree: small, since there may be 10,000 of them. */
export const scopeRow = z.object({
  id: z.string(),
  parentId: z.nullable(z.string()),
  name: z.string(),
  path: z.string(),
  kind,
  status,
  agentType: z.nullable(z.string()),
  openedAtMs: time,
  closedAtMs: z.nullable(time),
  activeMs: count,
  openChildren: count,
  /** Open and not paused, although the process that ran it is dead. */
  isStale: z.boolean(),
  /** Why it is paused; `null` if it isn't. */
  pause: z.nullable(
    z.object({ reason: z.string(), by: z.nullable(z.string()), atMs: time, requestId: z.nullable(z.string()) }),
  ),
  /** Only meters with a limit or anything used. */
  usage: z.readonly(z.partialRecord(meter, rowUsage)),
})

/** A scope, in full. */
export const scope = z.object({
  id: z.string(),
  parentId: z.nullable(z.string()),
  name: z.string(),
  path: z.string(),
  kind,
  status,
  owner: z.nullable(z.object({ holder: z.string(), isAlive: z.nullable(z.boolean()) })),
  isOrphaned: z.boolean(),
  openedAtMs: time,
  closedAtMs: z.nullable(time),
  activeMs: count,
  openChildren: count,
  /** Increases with every change of the limits. */
  revision: count,
  labels: recordOf(z.string()),
  about: z.nullable(about),
  pause: z.nullable(
    z.object({
      reason: z.string(),
      /** The limits that paused it; `null` if a person did. */
      breaches: z.nullable(list(breach)),
      requestId: z.nullable(z.string()),
      by: z.nullable(z.string()),
      atMs: time,
    }),
  ),
  totals: recordOf(z.object({ settled: count, reserved: count, assumed: count })),
  usage,
  limits: list(limit),
})

/** How often a limit refused something in one window. */
const denial = z.object({ meter, per: period, resetsAt: z.nullable(time), count, lastAtMs: time })

export const tree = z.object({
  /** Pass it as `since` to the stream. */
  cursor: z.string(),
  /** Everything that is open, and what ended in the last hour. Parents come before their children. */
  scopes: list(scopeRow),
  isTruncated: z.boolean(),
})

export const scopeList = z.object({ scopes: list(scope), isTruncated: z.boolean() })

export const scopeDetails = z.object({
  scope,
  /** The root first. */
  ancestors: list(scope),
  reservations: z.object({ open: list(reservation), assumed: list(reservation) }),
  requests: list(increaseRequest),
  denials: list(denial),
  /** The record of a runner's run; `null` for every other scope. */
  task: z.nullable(taskDetails),
})

/** Every limit on the path of a scope, the root's first, with where it was written. */
export const explanation = z.object({
  id: z.string(),
  path: z.string(),
  scopes: list(
    z.object({
      id: z.string(),
      path: z.string(),
      limits: list(
        z.object({
          meter,
          max: count,
          maxText: z.string(),
          per: period,
          timeZone: z.string(),
          action,
          layer: limitSource.shape.layer,
          place: z.string(),
          source: limitSource,
          /** What it may be raised to; `null` if unbounded. */
          ceiling: z.nullable(z.object({ max: count, maxText: z.string(), place: z.string() })),
          overrides: list(z.object({ layer: limitSource.shape.layer, place: z.string(), maxText: z.string() })),
          note: z.nullable(z.string()),
        }),
      ),
    }),
  ),
})

export const paused = z.object({ id: z.string(), path: z.string(), status: z.literal('paused'), isNew: z.boolean() })

export const resumed = z.object({
  id: z.string(),
  path: z.string(),
  status: z.literal('running'),
  /** Whether the server started its process again; `false` if its own process continues. */
  isStarted: z.boolean(),
  /** What was added to its limits less than asked for, and why. */
  cuts: list(z.string()),
})

export const stopped = z.object({
  id: z.string(),
  path: z.string(),
  status: z.literal('stopped'),
  /** The ids of the scopes that this ended. */
  stopped: list(z.string()),
})

export const changedLimits = z.object({ id: z.string(), path: z.string(), revision: count, limits: list(limit) })

/** Limits as on the command line: `cost=5`, `turns=25:pause`, `cost=100/day`. */
export const limitTexts = list(z.string().check(z.maxLength(200))).check(z.minLength(1), z.maxLength(50))

/** A run that has ended. */
const endedRun = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  kind,
  status,
  agentType: z.nullable(z.string()),
  taskId: z.nullable(z.string()),
  about: z.nullable(about),
  openedAtMs: time,
  endedAtMs: time,
  durationMs: count,
  activeMs: count,
  totals: recordOf(z.int()),
})

export const endedRuns = z.object({ runs: list(endedRun), isTruncated: z.boolean() })
