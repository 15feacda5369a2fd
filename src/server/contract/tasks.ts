import * as z from 'zod/mini'
import { STATUSES } from '../../core/index.ts'
import { count, list, recordOf, time } from './fields.ts'
import { breach, limit, usage } from './meters.ts'

/** The record of a runner's run. */
export const task = z.object({
  id: z.string(),
  path: z.nullable(z.string()),
  agent: z.nullable(z.string()),
  model: z.nullable(z.string()),
  status: z.enum(STATUSES),
  taskStatus: z.enum(['pending', 'in_progress', 'completed', 'failed', 'paused']),
  isStale: z.boolean(),
  subject: z.string(),
  description: z.nullable(z.string()),
  task: z.nullable(z.string()),
  workingFolder: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  error: z.nullable(z.string()),
  /** Where a paused one is resumed: `/tasks/ID/resume`. */
  resumeUrl: z.nullable(z.string()),
  state: z.nullable(z.object({ turns: count, accumulated_cost_usd: z.number(), elapsed_ms: z.number() })),
  warnings: list(z.string()),
  pid: z.nullable(z.int()),
  createdAtMs: time,
  startedAtMs: z.nullable(time),
  endedAtMs: z.nullable(time),
  limits: list(limit),
  folder: z.string(),
})

/** The result of one agent of a group; further fields: docs/reference/runner.md. */
const childResult = z.object({
  id: z.string(),
  agent: z.string(),
  task: z.string(),
  status: z.string(),
  output: z.nullable(z.string()),
  partialOutput: z.nullable(z.string()),
  error: z.nullable(z.string()),
  model: z.nullable(z.string()),
  durationMs: z.number(),
})

/** A task with its result. */
export const taskDetails = z.extend(task, {
  output: z.nullable(z.string()),
  partialOutput: z.nullable(z.string()),
  breach: z.nullable(breach),
  attempts: list(z.object({ model: z.string(), status: z.string(), error: z.nullable(z.string()) })),
  durationMs: z.nullable(z.number()),
  usage: z.nullable(usage),
  /** The agents that it started: docs/reference/runner.md. */
  children: list(childResult),
  acceptance: z.nullable(z.object({ status: z.string() })),
  artifacts: recordOf(z.string()),
  /** Of a group: its counts and the results of its agents. */
  counts: z.optional(z.string()),
  results: z.optional(list(childResult)),
})

export const taskList = z.object({ tasks: list(task), isTruncated: z.boolean() })

/** One line of a conversation: a message as the AI SDK has it (`role`, `content`), or a note about the run. */
export const transcriptLine = z.looseObject({
  at: z.string(),
  type: z.string(),
  message: z.optional(z.looseObject({ role: z.string(), content: z.unknown() })),
  note: z.optional(z.string()),
})

export const transcript = z.object({
  lines: list(transcriptLine),
  /** Pass it as `from` for what comes next. */
  next: count,
  hasMore: z.boolean(),
})

export const interrupted = z.object({
  id: z.string(),
  path: z.string(),
  status: z.literal('stopped'),
  isOwnerAlive: z.boolean(),
  hasHandedOver: z.boolean(),
  partialOutput: z.nullable(z.string()),
})

export const startedRun = z.object({ id: z.string(), agent: z.string() })
