import * as z from 'zod/mini'
import { list } from './fields.ts'

/** For load balancers: no more than that it is up and reaches its ledger. */
export const health = z.object({ status: z.enum(['ok', 'unavailable']) })

/** What `stint doctor` finds in the ledger. */
export const findings = z.object({
  findings: list(
    z.object({
      subject: z.string(),
      state: z.enum(['ok', 'notice', 'problem']),
      detail: z.string(),
      remedy: z.nullable(z.string()),
    }),
  ),
})

/** Every refusal. */
export const refusal = z.object({
  error: z.object({
    /** docs/reference/errors.md explains each. */
    code: z.string(),
    message: z.string(),
    retryable: z.boolean(),
  }),
})
