import type { Answer, Body, Params, Query, Refusal, RouteName } from '../../../src/server/contract.ts'
import { RefusedError } from './refused-error.ts'
import { readSessionToken } from './session-token.ts'

// A part that may be empty can be omitted; one that the address does not have must be.
type PartOf<Key extends string, Value> = [Value] extends [undefined]
  ? unknown
  : [Record<never, never>] extends [Value]
    ? { readonly [Name in Key]?: Value }
    : { readonly [Name in Key]: Value }

/** What a route needs to be called; what it can do without may be left out. */
export type Call<Name extends RouteName> = PartOf<'params', Params<Name>> &
  PartOf<'query', Query<Name>> &
  PartOf<'body', Body<Name>> & { readonly signal?: AbortSignal }

interface LooseCall {
  readonly params?: Readonly<Record<string, string>> | undefined
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** Calls an address of the API. Throws `RefusedError` with the server's words, or what `fetch` throws. */
export async function callApi<Name extends RouteName>(name: Name, call: Call<Name>): Promise<Answer<Name>> {
  const response = await sendApi(name, call as LooseCall)
  return (await response.json()) as Answer<Name>
}

/** The response of an address that answered with 200. */
export async function sendApi(name: RouteName, { params, query, body, signal }: LooseCall): Promise<Response> {
  const [method = 'GET', path = ''] = name.split(' ')
  const token = readSessionToken()
  const response = await fetch(addressOf(path, params, query), {
    method,
    headers: {
      ...(token === null ? {} : { 'x-stint-session': token }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
    cache: 'no-store',
  })
  if (!response.ok) throw await refusalOf(response)
  return response
}

/** Relative, so that the page works below a path of a proxy. */
function addressOf(path: string, params: LooseCall['params'] = {}, query: LooseCall['query'] = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const written = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(written.map(([name, value]) => [name, String(value)]))
  return `.${filled}${search.size === 0 ? '' : `?${search}`}`
}

async function refusalOf(response: Response): Promise<RefusedError> {
  try {
    const { error } = (await response.json()) as Refusal
    return new RefusedError(response.status, error.code, error.message)
  } catch {
    return new RefusedError(response.status, 'unknown', `The server answered with status ${response.status}.`)
  }
}
