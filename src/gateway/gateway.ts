import type { Breach } from '../core/index.ts'
import type { Scope } from '../governor/index.ts'
import type { DialectName } from './dialects/dialect.ts'

/** Where requests go. Only the operator's config names one. */
export interface Upstream {
  /** As the official SDKs read it: for Anthropic without `/v1`, for OpenAI with it. */
  readonly baseUrl: string
  /** The provider's key. `null`: the client's own credentials pass through. */
  readonly apiKey: string | null
  /** The header that carries the key. Default: that of the dialect (`x-api-key` at Anthropic). */
  readonly keyHeader?: 'x-api-key' | 'authorization'
  /** Why nothing can be sent to it, and what to do about that: each request for it is refused with this text. */
  readonly unusable?: string
}

/** The upstreams by the first part of the path: `/anthropic/…`, `/openai/…`. */
export interface Upstreams {
  readonly anthropic?: Upstream
  readonly openai?: Upstream
}

/** Who may come in, and whose budget pays. */
export interface Admission {
  /** The scope behind a key; `null` if nobody has it. Never throws for a key that is malformed. */
  scopeOf(key: string): Promise<Scope | null>
  /**
   * Whether a scope has a loop of its own elsewhere, which makes its closing call: what comes in with its key is at
   * work for that loop, and is refused at a limit instead. Default: none has.
   */
  closesItself?(scope: Scope): boolean
}

/** A call that went through, as a summary counts it. */
export interface GatewayCall {
  readonly scopeId: string
  /** The scope behind the key: where agents are told apart by headers, the run that they belong to. */
  readonly runId: string
  /** The client's own name for its conversation, by which it can go on later (`x-claude-code-session-id`). */
  readonly sessionId: string | null
  readonly dialect: DialectName
  readonly model: string
  readonly isClosing: boolean
  /** Whether the model could call tools. In a conversation that has tools, a request without them is beside it. */
  readonly hasTools: boolean
  readonly clampedTo: number | null
  /** The limit at which its answer was cut, by an output cap that was not the client's own; `null` if it was not. */
  readonly cutBy: Breach | null
  readonly text: string
}

/** What became of a request for a model call. `unanswered`: the provider, or the client, was gone before the end. */
export type RequestEnd = 'answered' | 'refused-by-stint' | 'refused-by-provider' | 'unanswered'

/** A request for a model call that is over. */
export interface EndedRequest {
  /** The scope behind the key. */
  readonly runId: string
  readonly end: RequestEnd
}

export interface GatewayOptions {
  readonly upstreams: Upstreams
  readonly admission: Admission
  /** Told of each call that was answered; never waits for it. */
  readonly onCall?: (call: GatewayCall) => void
  /** Told once of each request for a model call that came with a key of the gateway, when it is over. */
  readonly onRequest?: (request: EndedRequest) => void
  /** Default: 127.0.0.1. */
  readonly host?: string
  /** Default: a free one. */
  readonly port?: number
  /** Names under which clients may call it, beside the loopback ones: `host` or `host:port`. */
  readonly allowedHosts?: readonly string[]
  /** Tools that the provider runs and no request can bound stay in it, though a limit counts them. */
  readonly allowsUnboundedTools?: boolean
  /** Told when a request of a paused run was held as long as it may be. */
  readonly onGiveUp?: (given: GivenUp) => void
  readonly bounds?: Partial<GatewayBounds>
}

/** A request that was held in vain. */
export interface GivenUp {
  readonly scopeId: string
  readonly runId: string
  /** What it was held for: a limit's message, or that somebody paused the run. */
  readonly reason: string
}

/** Everything has a bound; docs/reference/gateway.md lists the defaults. */
export interface GatewayBounds {
  readonly bodyBytes: number
  readonly headerBytes: number
  /** Memory for the latest requests of conversations, so that the next ones need not be read from the beginning. */
  readonly memoryBytes: number
  /** How long a client may take to send the headers of a request, and the whole of it. */
  readonly clientHeadersMs: number
  readonly clientBodyMs: number
  readonly connections: number
  /** How many agents are told apart by their headers; those beyond are counted on the scope of the key. */
  readonly agents: number
  /** For the upstream: until its headers, between two pieces of its answer, and in all. */
  readonly headersTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly totalTimeoutMs: number
  /** How much of an answer is still read after its client went away, so that its usage is known. */
  readonly drainBytes: number
  readonly drainMs: number
  /** How long a request waits for room before it is answered with 429. */
  readonly waitMs: number
  /** How long a request of a paused run is held in all. */
  readonly pauseMs: number
  /** After so long without a request a conversation holds nothing back any more; longer while its tools run. */
  readonly lapseMs: number
  readonly lapseWithToolsMs: number
  /** How often a client that streams gets a sign of life while it waits. */
  readonly pingMs: number
}

/** A gateway that listens. */
export interface Gateway {
  readonly host: string
  readonly port: number
  /** `http://127.0.0.1:PORT`. */
  readonly url: string
  /** Takes no new request, waits for those in flight up to `graceMs`, then cuts them; each is accounted for. */
  close(graceMs?: number): Promise<void>
}
