import type { Breach, Breaches, EndStatus, Meter, Status } from '../../../core/index.ts'
import type { MeterUsage } from '../../../governor/index.ts'
import type { RunNotice } from './run-notice.ts'

/** How a run stands, as far as the command that runs in it goes. */
export interface RunState {
  readonly status: Status
  /** What ended it or paused it; `null` while nothing has. */
  readonly breaches: Breaches | null
  /** Why it is paused or has ended, in words, where no limit did it; `null` while it may go on. */
  readonly reason: string | null
  /** Whether it has a limit, of its own or of a scope above it. */
  readonly isLimited: boolean
  /** A limit lets nothing more in but a closing call. */
  readonly isHalted: boolean
  /** Not even that: the command must end now. */
  readonly isOver: boolean
  /** It is paused, and a request of the command was held for it as long as may be, and then refused. */
  readonly hasGivenUp: boolean
  /** The closing call: none so far, under way, or answered. */
  readonly closing: 'none' | 'underway' | 'answered'
  /** The requests for model calls that came to the gateway: those that were answered, refused, or got no answer. */
  readonly calls: number
  readonly refusedByStint: number
  readonly refusedByProvider: number
  readonly unanswered: number
  /** How many of the answers had less output than was asked for. */
  readonly clamps: number
  /** The limit at which the last answer of its conversation was cut; `null` if that answer came to its own end. */
  readonly cutBy: Breach | null
  /** What its user should know, in the order in which it happened; of very many the first. */
  readonly notices: readonly RunNotice[]
  /** The text of the last answer, cut at a bound. */
  readonly lastText: string
  /** The client's own name for its conversation. */
  readonly sessionId: string | null
}

/** A run under which a command is started, wherever its scope is kept: here, or by the `stint` around us. */
export interface GovernedRun {
  readonly id: string
  readonly path: string
  /** Where the gateway answers, and the key by which it knows the run. */
  readonly gatewayUrl: string
  readonly key: string
  /** For a `stint` inside the command: `STINT_SCOPE`. */
  readonly token: string
  look(): Promise<RunState>
  usage(): Promise<Readonly<Record<Meter, MeterUsage>>>
  /** Output of the command is activity. Never throws. */
  touch(): void
  /** Ends it; its key opens nothing any more. */
  close(status: EndStatus): Promise<void>
}
