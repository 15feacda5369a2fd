import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Breach } from '../core/index.ts'
import type { Scope } from '../governor/index.ts'
import type { DialectName } from './dialects/dialect.ts'

/** Where requests go. Only the operator's config sets one. */
export interface Upstream {
  /** As in the official SDKs: for Anthropic without `/v1`, for OpenAI with it. */
  readonly baseUrl: string
  /** The provider's key. `null`: the client's own credentials are passed through. */
  readonly apiKey: string | null
  /** The header that carries the key. Default: that of the dialect (`x-api-key` for Anthropic). */
  readonly keyHeader?: 'x-api-key' | 'authorization'
  /** Why nothing can be sent to it, and how to fix that: each request for it is refused with this text. */
  readonly unusable?: string
}

/** The upstreams by the first segment of the path: `/anthropic/…`, `/openai/…`. */
export interface Upstreams {
  readonly anthropic?: Upstream
  readonly openai?: Upstream
}

/** Which keys are admitted, and which scope pays. */
export interface Admission {
  /** The scope of a key; `null` for an unknown key. Never throws for a malformed one. */
  scopeOf(key: string): Promise<Scope | null>
  /**
   * Whether a scope has its own loop elsewhere, which makes its closing call: requests with its key work for that loop,
   * and are refused at a limit instead. Default: none has.
   */
  closesItself?(scope: Scope): boolean
  /** Who has a key that was admitted, for the history of what it is used for. */
  nameOf?(key: string): string | null
}

/** A call that succeeded, for a summary. */
export interface GatewayCall {
  readonly scopeId: string
  /** The scope of the key: if agents are told apart by headers, the run they belong to. */
  readonly runId: string
  /** The client's own name for its conversation, by which it can continue later (`x-claude-code-session-id`). */
  readonly sessionId: string | null
  readonly dialect: DialectName
  readonly model: string
  readonly isClosing: boolean
  /** Whether the model could call tools. In a conversation with tools, a request without them is a side request. */
  readonly hasTools: boolean
  readonly clampedTo: number | null
  /** The limit that truncated its answer, by an output cap that was not the client's own; `null` if none did. */
  readonly cutBy: Breach | null
  readonly text: string
}

/** The outcome of a model request. `unanswered`: the provider or the client was gone before the end. */
export type RequestEnd = 'answered' | 'refused-by-stint' | 'refused-by-provider' | 'unanswered'

/** A model request that is over. */
export interface EndedRequest {
  /** The scope behind the key. */
  readonly runId: string
  readonly end: RequestEnd
}

export interface GatewayOptions {
  readonly upstreams: Upstreams
  readonly admission: Admission
  /** Called for each call that was answered; not awaited. */
  readonly onCall?: (call: GatewayCall) => void
  /** Called once for each model request with a key of the gateway, when it is over. */
  readonly onRequest?: (request: EndedRequest) => void
  /** Default: 127.0.0.1. */
  readonly host?: string
  /** Default: a free port. */
  readonly port?: number
  /**
   * Other gateways on the same ledger serve the same conversations, behind a load balancer. Then a conversation is one
   * scope with one hold, whichever of them serves a request. Default: each gateway has conversations of its own.
   */
  readonly sharesConversations?: boolean
  /** Names under which clients may call it, in addition to the loopback ones: `host` or `host:port`. */
  readonly allowedHosts?: readonly string[]
  /** Keeps provider-run tools that no request can bound, even though a limit counts them. */
  readonly allowsUnboundedTools?: boolean
  /** Called when a request of a paused run was held for the maximum time. */
  readonly onGiveUp?: (given: GivenUp) => void
  /** Answers requests for addresses outside of the gateway's, on the same port. Default: they are refused. */
  readonly otherRequests?: OtherRequests
  /** A certificate and its key in PEM, to serve HTTPS. Default: plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string }
  readonly bounds?: Partial<GatewayBounds>
}

/** What else is served on the port of a gateway. */
export interface OtherRequests {
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Ends what stays open by itself. Called first when the gateway closes. */
  close(): void
}

/** A request that was held in vain. */
export interface GivenUp {
  readonly scopeId: string
  readonly runId: string
  /** What it waited for: a limit's message, or that the run was paused. */
  readonly reason: string
}

/** Everything has a bound; docs/reference/gateway.md lists the defaults. */
export interface GatewayBounds {
  readonly bodyBytes: number
  readonly headerBytes: number
  /** Memory for the latest requests of conversations, so that the next ones need not be read from the start. */
  readonly memoryBytes: number
  /** How long a client may take to send the headers of a request, and all of it. */
  readonly clientHeadersMs: number
  readonly clientBodyMs: number
  readonly connections: number
  /** How many agents are told apart by their headers; further ones are counted on the scope of the key. */
  readonly agents: number
  /** For the upstream: until its headers, between two pieces of its answer, and in total. */
  readonly headersTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly totalTimeoutMs: number
  /** How much of an answer is still read after its client went away, to learn its usage. */
  readonly drainBytes: number
  readonly drainMs: number
  /** How long a request waits for room before it is answered with 429. */
  readonly waitMs: number
  /** How long a request of a paused run is held in total. */
  readonly pauseMs: number
  /** After this long without a request, a conversation's hold is released; longer while its tools run. */
  readonly lapseMs: number
  readonly lapseWithToolsMs: number
  /** How often a streaming client gets a keep-alive while it waits. */
  readonly pingMs: number
}

/** A gateway that listens. */
export interface Gateway {
  readonly host: string
  readonly port: number
  /** `http://127.0.0.1:PORT`. */
  readonly url: string
  /** Accepts no new request, waits for those in flight up to `graceMs`, then aborts them; each is accounted for. */
  close(graceMs?: number): Promise<void>
}
