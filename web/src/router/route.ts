/** The pages, with what each needs to know. */
export type Route =
  | { readonly page: 'live' }
  | { readonly page: 'scope'; readonly id: string }
  | { readonly page: 'spend' }
  | { readonly page: 'not-found' }

export type Filters = Readonly<Record<string, string>>

export interface Place {
  readonly route: Route
  /** What is written after the `?`: every filter of a page lives there, so that a link shows the same. */
  readonly filters: Filters
}

/** Reads the part of the address behind the `#`. A broken escape is a page that is not there. */
export function parsePlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s)
  return { route: routeOf(path), filters: Object.fromEntries(new URLSearchParams(query)) }
}

function routeOf(path: string): Route {
  const [first = '', second, ...rest] = path.replace(/^\//, '').split('/')
  if (rest.length > 0) return { page: 'not-found' }
  if (second === undefined) {
    if (first === '') return { page: 'live' }
    return first === 'spend' ? { page: 'spend' } : { page: 'not-found' }
  }
  const id = decoded(second)
  return first === 'scopes' && id !== null && id !== '' ? { page: 'scope', id } : { page: 'not-found' }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** The address of a place. Empty filters are left out. */
export function hrefOf(route: Route, filters: Filters = {}): string {
  const written = Object.entries(filters).filter(([, value]) => value !== '')
  const query = written.length === 0 ? '' : `?${new URLSearchParams(written)}`
  return `#/${pathOf(route)}${query}`
}

function pathOf(route: Route): string {
  if (route.page === 'scope') return `scopes/${encodeURIComponent(route.id)}`
  return route.page === 'spend' ? 'spend' : ''
}
