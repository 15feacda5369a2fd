import type { ServerResponse } from 'node:http'
import type { PathLimits } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'
import type { LearnedSizes } from '../../loop/prompt/learned-sizes.ts'
import type { AgentState } from '../agents/agent-state.ts'
import type { Caller } from '../agents/caller.ts'
import type { Dialect, WireRequest } from '../dialects/dialect.ts'
import type { GatewayBounds, GatewayOptions } from '../gateway.ts'
import type { SentRequest } from '../upstream/exchange.ts'
import type { CarriedReservations } from './carried-reservation.ts'
import type { Client } from './client.ts'

/** One request in progress. */
export interface LiveCall {
  readonly options: GatewayOptions
  readonly bounds: GatewayBounds
  readonly response: ServerResponse
  readonly client: Client
  readonly dialect: Dialect
  readonly request: WireRequest
  readonly caller: Caller
  /** The scope behind the key. */
  readonly keyScope: Scope
  /** The scope that pays: that of the key, or an agent's below it. */
  readonly scope: Scope
  readonly state: AgentState
  readonly limits: PathLimits
  readonly reservations: CarriedReservations
  /** How accurate estimates were, over all scopes of this gateway. */
  readonly sizes: LearnedSizes
  /** The kind of its prompt, under which that is recorded. */
  readonly promptKind: string
  /** It is paid by a reservation it carries; the process that made that counts the tools its own client runs. */
  readonly isCarried: boolean
  /** Stores what was learned of its conversation: before the client has all of the answer, and can ask elsewhere. */
  readonly keepLearned?: () => Promise<void>
  /** Where it is sent, without its body. */
  readonly target: Omit<SentRequest, 'body'>
}
