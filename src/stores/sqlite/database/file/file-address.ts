import { pathToFileURL } from 'node:url'

// `rw` never creates; `immutable` takes no lock and creates no files next to it, but may see half a transaction.
type OpenMode = 'rw' | 'ro' | 'immutable'

/** The file as a SQLite URI, however odd its name. */
export function fileAddress(file: string, mode: OpenMode): string {
  const query = mode === 'immutable' ? 'mode=ro&immutable=1' : `mode=${mode}`
  return `${pathToFileURL(file).href}?${query}`
}
