import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Where the built page is, if it was built. Found by the package's own folder: this file moves when it is bundled. */
export function pagesFolder(): string | null {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('stint/package.json')), 'dist', 'web')
  } catch {
    return null
  }
}
