import { pathToFileURL } from 'node:url'

// `rw` never creates; `immutable` takes no lock and makes no files beside it, but may see half a transaction.
type OpenMode = 'rw' | 'ro' | 'immutable'

/** A file as SQLite is told of it, however odd its name is. */
export function fileAddress(file: string, mode: OpenMode): string {
  const query = mode === 'immutable' ? 'mode=ro&immutable=1' : `mode=${mode}`
  return `${pathToFileURL(file).href}?${query}`
}
