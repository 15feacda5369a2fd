import type { Pool } from 'undici'
// Not from 'undici' itself: that loads a complete fetch implementation, which takes twice as long as all of the
// gateway.
import LoadedPool from 'undici/lib/dispatcher/pool.js'

export type CreatePool = (origin: string, options: Pool.Options) => Pool

/** Makes a pool of connections to an upstream. By itself, so that the command line can load the package late: src/cli/late. */
export const createPool: CreatePool = (origin, options) => new LoadedPool(origin, options)
