import type { Pool } from 'undici'
// Not from 'undici' itself: that loads a complete fetch implementation, which takes twice as long as all of the
// gateway.
import LoadedPool from 'undici/lib/dispatcher/pool.js'

export type CreatePool = (origin: string, options: Pool.Options) => Pool

/**
 * Creates a pool of connections to an upstream. In a file of its own so that the command line can load the package
 * late: src/cli/lazy-packages.
 */
export const createPool: CreatePool = (origin, options) => new LoadedPool(origin, options)
