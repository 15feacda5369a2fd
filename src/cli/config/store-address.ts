import { isAbsolute, join, resolve } from 'node:path'
import { showValue, suggestName } from '../../core/index.ts'

/** Which ledger is meant. */
export type StoreAddress =
  | { readonly kind: 'sqlite'; readonly file: string }
  /** Empty at the start of every command: for trying things out. */
  | { readonly kind: 'memory' }

const LONGEST_PATH = 4096

/** What an address of a store matches, whatever is found under it. */
export const STORE_ADDRESS_PATTERN = `memory:|sqlite:[^\\u0000-\\u001f]{1,${LONGEST_PATH}}`

/** Why a text is no address of a store. */
export interface AddressRefusal {
  readonly message: string
  readonly suggestion: string | null
}

/** Reads `sqlite:PATH` or `memory:`. A path that is not absolute starts at `folder`, and `~/` at the home folder. */
export function parseStoreAddress(
  value: unknown,
  folders: { readonly folder: string; readonly homeFolder: string },
): StoreAddress | AddressRefusal {
  if (typeof value !== 'string' || !new RegExp(`^(?:${STORE_ADDRESS_PATTERN})$`).test(value)) return refusalOf(value)
  if (value === 'memory:') return { kind: 'memory' }
  const path = value.slice('sqlite:'.length)
  if (path.startsWith('~/')) return { kind: 'sqlite', file: join(folders.homeFolder, path.slice(2)) }
  return { kind: 'sqlite', file: isAbsolute(path) ? path : resolve(folders.folder, path) }
}

function refusalOf(value: unknown): AddressRefusal {
  const message = `${showValue(value)} is no store. Write sqlite:PATH, e.g. "sqlite:./ledger.db", or "memory:".`
  if (typeof value !== 'string') return { message, suggestion: null }
  const [scheme = '', ...rest] = value.split(':')
  const isPath = rest.length === 0 && /[/.]/.test(value)
  if (isPath) return { message, suggestion: `sqlite:${value}` }
  const nearest = suggestName(scheme, ['sqlite', 'memory'])
  if (nearest === null || nearest === scheme) return { message, suggestion: null }
  return { message, suggestion: nearest === 'memory' ? 'memory:' : `sqlite:${rest.join(':')}` }
}
