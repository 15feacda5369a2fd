import * as z from 'zod/mini'
import { KEY_ROLES } from '../../core/index.ts'
import { list, time } from './fields.ts'

export const role = z.enum(KEY_ROLES)

export const key = z.object({
  id: z.string(),
  /** The scope that pays, or that an API key sees; `null` for an API key that sees everything. */
  scopeId: z.nullable(z.string()),
  scopePath: z.nullable(z.string()),
  /** `null`: a key for the gateway. */
  role: z.nullable(role),
  name: z.nullable(z.string()),
  createdBy: z.nullable(z.string()),
  createdAtMs: time,
  expiresAtMs: z.nullable(time),
  revokedBy: z.nullable(z.string()),
  revokedAtMs: z.nullable(time),
  state: z.enum(['good', 'expired', 'revoked']),
})

export const keyList = z.object({ keys: list(key), isTruncated: z.boolean() })

/** The key itself is in this answer and nowhere else. */
export const createdKey = z.object({ key: z.string(), record: key })

export const revokedKey = z.object({ record: key, isNew: z.boolean() })
