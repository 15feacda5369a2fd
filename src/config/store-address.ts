import { postgresAddressProblem } from '../core/checks/postgres-address-problem.ts'
import { showValue, suggestName } from '../core/index.ts'

/** Where a ledger is. */
export type StoreAddress =
  | { readonly kind: 'sqlite'; readonly file: string }
  /** Includes the password: show it with `storeText`. */
  | { readonly kind: 'postgres'; readonly url: string }
  /** Empty at the start of every command: for trying things out. */
  | { readonly kind: 'memory' }

/** The form of a store address, whether or not there is a store. */
export const STORE_ADDRESS_PATTERN =
  '^(?:memory:|sqlite:[^\\u0000-\\u001f]{1,4096}|postgres(?:ql)?://[^\\u0000-\\u0020]{1,4096})$'

/** Why a text is not the address of a store. */
export interface AddressRefusal {
  /** The text without what may be a password. */
  readonly shown: unknown
  /** What it must be instead. */
  readonly form: string
  readonly message: string
  readonly suggestion: string | null
}

/** Reads `sqlite:PATH`, `postgres://…` or `memory:`. */
export function parseStoreAddress(value: unknown, pathOf: (path: string) => string): StoreAddress | AddressRefusal {
  if (typeof value !== 'string' || !new RegExp(STORE_ADDRESS_PATTERN).test(value)) return refusalOf(value)
  if (value === 'memory:') return { kind: 'memory' }
  if (value.startsWith('sqlite:')) return { kind: 'sqlite', file: pathOf(value.slice('sqlite:'.length)) }
  return postgresAddressProblem(value) === null ? { kind: 'postgres', url: value } : refusalOf(value)
}

/** An address for people to read, without its password. */
export function storeText(address: StoreAddress): string {
  if (address.kind === 'memory') return 'memory:'
  return address.kind === 'sqlite' ? `sqlite:${address.file}` : withoutPassword(address.url)
}

/** The address in full, for another `stint` of ours: never as an argument, which every user of the machine can see. */
export function storeAddressText(address: StoreAddress): string {
  return address.kind === 'postgres' ? address.url : storeText(address)
}

/** The address of a database as an agent may see it: whole, but without the password. */
export function withoutItsPassword(url: string): string {
  const address = new URL(url)
  address.password = ''
  address.searchParams.delete('password')
  return address.href
}

/** Replaces what may be a password, even in an address with a typo. */
function withoutPassword(text: string): string {
  const shown = text.replace(/([?&]password=)[^&]*/gi, '$1***')
  if (/^(?:sqlite:|memory)/.test(shown)) return shown
  // To the last @: a password may have any character in it.
  const user = /^([a-z]*:?\/*[^/@:]*:)(.*)@/is
  if (user.test(shown)) return shown.replace(user, '$1***@')
  return shown.replace(/^([a-z]*:\/*[^/@:]+:)(?!\d*(?:\/|$)).*/is, '$1***')
}

function refusalOf(value: unknown): AddressRefusal {
  const shown = typeof value === 'string' ? withoutPassword(value) : value
  const isPostgres = typeof value === 'string' && /^postgres(?:ql)?:/.test(value)
  const form = isPostgres
    ? (postgresAddressProblem(value) ?? 'an address of at most 4,096 characters, without spaces')
    : 'sqlite:PATH, postgres://… or memory:'
  const message = isPostgres
    ? `${showValue(shown)} is not the address of a Postgres. Write ${form}.`
    : `${showValue(shown)} is not a store. Write sqlite:PATH, e.g. "sqlite:./ledger.db", ` +
      'postgres://USER:PASSWORD@HOST:PORT/DATABASE, or "memory:".'
  return { shown, form, message, suggestion: typeof value === 'string' ? suggestionFor(value) : null }
}

function suggestionFor(value: string): string | null {
  const [scheme = '', ...rest] = value.split(':')
  const isPath = rest.length === 0 && /[/.]/.test(value)
  if (isPath) return `sqlite:${value}`
  const nearest = suggestName(scheme, ['sqlite', 'memory', 'postgres', 'postgresql'])
  if (nearest === null || nearest === scheme) return null
  return nearest === 'memory' ? 'memory:' : withoutPassword(`${nearest}:${rest.join(':')}`)
}
