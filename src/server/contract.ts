/**
 * All that the page may import, and as types only: shapes of the API by the name of their address, such as
 * `Answer<'GET /api/tree'>`.
 *
 * The page signs in with `POST /api/session` and the text after `#` in the address that was printed, keeps `token` in
 * sessionStorage, and sends it as `x-stint-session` with every request; the cookie goes along by itself. Every POST is
 * `application/json`. A refusal has the status of its kind and a `Refusal` as its body; 401 means: sign in again.
 * `GET /api/stream` is read by `fetch`: `event`, `id` and `data` lines, and comments as keep-alives.
 */
import type * as z from 'zod/mini'
import type { alert } from './contract/alerts.ts'
import type { API } from './contract/api.ts'
import type { entry, reservation } from './contract/calls.ts'
import type { refusal } from './contract/health.ts'
import type { key } from './contract/keys.ts'
import type { breach, limit, meterUsage, rowUsage } from './contract/meters.ts'
import type { increaseRequest } from './contract/requests.ts'
import type { scope, scopeRow } from './contract/scopes.ts'
import type { STREAM } from './contract/stream.ts'
import type { task, taskDetails, transcriptLine } from './contract/tasks.ts'

export type { KeyRole as Role, Meter, ScopeKind, Status } from '../core/index.ts'

type Api = typeof API

/** An address: `GET /api/scopes/:id`. */
export type RouteName = keyof Api

type ParamOf<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParamOf<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never

/** What stands for the segments of the path that begin with a colon. */
export type Params<Name extends RouteName> = Readonly<Record<ParamOf<Name>, string>>

/** What may follow the question mark. */
export type Query<Name extends RouteName> = Api[Name] extends { readonly query: infer Schema extends z.ZodMiniType }
  ? z.output<Schema>
  : Readonly<Record<never, never>>

/** What a POST carries; `undefined` for a GET. */
export type Body<Name extends RouteName> = Api[Name] extends { readonly body: infer Schema extends z.ZodMiniType }
  ? z.output<Schema>
  : undefined

/** What comes back with status 200. */
export type Answer<Name extends RouteName> = Api[Name]['answer'] extends infer Schema extends z.ZodMiniType
  ? z.output<Schema>
  : never

/** What the stream sends, by event name. */
export type StreamEvents = { readonly [Name in keyof typeof STREAM]: z.output<(typeof STREAM)[Name]> }

/** What comes back with every other status. */
export type Refusal = z.output<typeof refusal>

export type Alert = z.output<typeof alert>
export type Breach = z.output<typeof breach>
export type Entry = z.output<typeof entry>
export type IncreaseRequest = z.output<typeof increaseRequest>
export type Key = z.output<typeof key>
export type Limit = z.output<typeof limit>
export type MeterUsage = z.output<typeof meterUsage>
export type Reservation = z.output<typeof reservation>
export type RowUsage = z.output<typeof rowUsage>
export type Scope = z.output<typeof scope>
export type ScopeRow = z.output<typeof scopeRow>
export type Task = z.output<typeof task>
export type TaskDetails = z.output<typeof taskDetails>
export type TranscriptLine = z.output<typeof transcriptLine>
