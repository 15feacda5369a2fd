import type { CreatePool } from '../../gateway/upstream/create-pool.ts'
import { loadPool } from './lazy-packages.ts'

/** Replaces `src/gateway/upstream/create-pool.ts`. */
export const createPool: CreatePool = (origin, options) => new (loadPool())(origin, options)
