import { z } from 'zod'

const count = z.int().min(0)
const LONGEST_DELAY_MS = 600_000

const toolCall = z.strictObject({
  id: z.string().min(1).optional(),
  name: z.string().min(1),
  arguments: z.unknown(),
})

const usage = z.strictObject({
  inputTokens: count.optional(),
  outputTokens: count.optional(),
  cacheReadTokens: count.optional(),
  cacheWriteTokens: count.optional(),
  cacheWrite1hTokens: count.optional(),
  reasoningTokens: count.optional(),
})

const turn = z.strictObject({
  text: z.string().optional(),
  toolCalls: z.array(toolCall).max(1_000).optional(),
  thinkingTokens: count.optional(),
  usage: usage.nullable().optional(),
  error: z.strictObject({ status: z.int().min(400).max(599), message: z.string() }).optional(),
  delayMs: z.int().min(0).max(LONGEST_DELAY_MS).optional(),
  ignoreCap: z.boolean().optional(),
  strayMarkup: z.boolean().optional(),
})

const turns = z.array(turn).min(1).max(10_000)

/** The format of a script file. */
export const SCRIPT_SCHEMA = z.strictObject({
  turns,
  /** Whether it starts over after its last turn. */
  repeat: z.boolean().default(false),
  /** The answer when tools are disabled, instead of the turn's text. */
  closing: z.string().nullable().default(null),
})
