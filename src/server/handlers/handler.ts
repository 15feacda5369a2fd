import type { Answer, Body, Params, Query, RouteName } from '../contract.ts'
import type { ServerContext } from '../server-context.ts'
import type { Caller } from '../session/caller.ts'

/** One request, checked against its route. */
export interface ApiCall<Name extends RouteName> {
  readonly context: ServerContext
  readonly caller: Caller
  readonly params: Params<Name>
  readonly query: Query<Name>
  readonly body: Body<Name>
}

/** Answers the requests of one route. */
export type Handler<Name extends RouteName> = (call: ApiCall<Name>) => Promise<Answer<Name>> | Answer<Name>

/** Routes that do not answer with one JSON document, or set a cookie. */
export type SpecialRoute =
  | 'GET /health'
  | 'GET /metrics'
  | 'GET /api/stream'
  | 'POST /api/session'
  | 'POST /api/session/end'

/** A handler for each of these routes. */
export type Handlers<Names extends RouteName = Exclude<RouteName, SpecialRoute>> = {
  readonly [Name in Names]: Handler<Name>
}
