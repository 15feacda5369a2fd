import { showValue, suggestName } from '../core/index.ts'

/** Where a ledger is. */
export type StoreAddress =
  | { readonly kind: 'sqlite'; readonly file: string }
  /** Empty at the start of every command: for trying things out. */
  | { readonly kind: 'memory' }

/** The form of a store address, whether or not there is a store. */
export const STORE_ADDRESS_PATTERN = '^(?:memory:|sqlite:[^\\u0000-\\u001f]{1,4096})$'

/** Why a text is not the address of a store. */
export interface AddressRefusal {
  readonly message: string
  readonly suggestion: string | null
}

/** Reads `sqlite:PATH` or `memory:`. */
export function parseStoreAddress(value: unknown, pathOf: (path: string) => string): StoreAddress | AddressRefusal {
  if (typeof value !== 'string' || !new RegExp(STORE_ADDRESS_PATTERN).test(value)) return refusalOf(value)
  return value === 'memory:' ? { kind: 'memory' } : { kind: 'sqlite', file: pathOf(value.slice('sqlite:'.length)) }
}

function refusalOf(value: unknown): AddressRefusal {
  const message = `${showValue(value)} is not a store. Write sqlite:PATH, e.g. "sqlite:./ledger.db", or "memory:".`
  if (typeof value !== 'string') return { message, suggestion: null }
  const [scheme = '', ...rest] = value.split(':')
  const isPath = rest.length === 0 && /[/.]/.test(value)
  if (isPath) return { message, suggestion: `sqlite:${value}` }
  const nearest = suggestName(scheme, ['sqlite', 'memory'])
  if (nearest === null || nearest === scheme) return { message, suggestion: null }
  return { message, suggestion: nearest === 'memory' ? 'memory:' : `sqlite:${rest.join(':')}` }
}
