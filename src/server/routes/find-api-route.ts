import { StintError } from '../../core/index.ts'
import { API } from '../contract/api.ts'
import type { RouteName } from '../contract.ts'
import { badRequest } from '../http/refusals.ts'

/** An address of the API, with what its path says. */
export interface FoundApiRoute {
  readonly name: RouteName
  readonly params: Readonly<Record<string, string>>
  readonly search: URLSearchParams
}

interface KnownRoute {
  readonly name: RouteName
  readonly method: string
  readonly segments: readonly string[]
}

const ROUTES: readonly KnownRoute[] = routeNames().map((name) => {
  const [method = '', path = ''] = name.split(' ')
  return { name, method, segments: path.split('/') }
})

/** Every address of the API. */
export function routeNames(): readonly RouteName[] {
  return Object.keys(API).filter((name): name is RouteName => Object.hasOwn(API, name))
}

/** Whether a path belongs to the API, even if there is nothing. */
export function isApiPath(path: string): boolean {
  return (
    path === '/api' ||
    path.startsWith('/api/') ||
    path === '/health' ||
    path === '/metrics' ||
    path.startsWith('/tasks/')
  )
}

/** The route of a request. Paths are compared segment by segment; each parameter is decoded once. */
export function findApiRoute(method: string | undefined, target: string): FoundApiRoute {
  const mark = target.indexOf('?')
  const segments = (mark === -1 ? target : target.slice(0, mark)).split('/')
  const matching = ROUTES.filter((route) => matches(route.segments, segments))
  const route = matching.find((known) => known.method === method)
  if (route === undefined) {
    const methods = matching.map((known) => known.method)
    const message = methods.length === 0 ? 'There is nothing at this address.' : `This address takes ${methods} only.`
    throw new StintError('unknown_address', `${message} /openapi.json lists all addresses.`)
  }
  const params = Object.fromEntries(
    route.segments.flatMap((segment, place) => {
      return segment.startsWith(':') ? [[segment.slice(1), decoded(segments[place]!)] as const] : []
    }),
  )
  return { name: route.name, params, search: new URLSearchParams(mark === -1 ? '' : target.slice(mark + 1)) }
}

function matches(wanted: readonly string[], segments: readonly string[]): boolean {
  if (wanted.length !== segments.length) return false
  return wanted.every((segment, place) =>
    segment.startsWith(':') ? segments[place] !== '' : segment === segments[place],
  )
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw badRequest('The address is not encoded correctly.')
  }
}
