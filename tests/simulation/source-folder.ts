import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The source of the product as it is. Imports nothing of the stage: vitest.config.ts needs it to plant a bug. */
export const SOURCE = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'src')
