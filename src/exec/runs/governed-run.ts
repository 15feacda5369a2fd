import type { Breach, Breaches, EndStatus, Meter, Status } from '../../core/index.ts'
import type { MeterUsage } from '../../governor/index.ts'
import type { RunNotice } from './run-notice.ts'

/** The state of a run, as far as it concerns its command. */
export interface RunState {
  readonly status: Status
  /** What ended or paused it; `null` if nothing has. */
  readonly breaches: Breaches | null
  /** Why it is paused or has ended, if not by a limit; `null` while it may continue. */
  readonly reason: string | null
  /** Whether it has a limit, of its own or of a scope above it. */
  readonly isLimited: boolean
  /** A limit allows nothing more but a closing call. */
  readonly isHalted: boolean
  /** Not even a closing call: the command must end now. */
  readonly isOver: boolean
  /** It is paused, and a request of the command was held for the maximum time and then refused. */
  readonly hasGivenUp: boolean
  /** The state of the closing call. */
  readonly closing: 'none' | 'underway' | 'answered'
  /** Model calls that were answered, refused, or got no answer. */
  readonly calls: number
  readonly refusedByStint: number
  readonly refusedByProvider: number
  readonly unanswered: number
  /** How many calls were clamped to less output than requested. */
  readonly clamps: number
  /** The limit that cut the last answer of its conversation; `null` if that answer is complete. */
  readonly cutBy: Breach | null
  /** What its user should know, oldest first; bounded. */
  readonly notices: readonly RunNotice[]
  /** The text of the last answer; bounded. */
  readonly lastText: string
  /** The client's own id of its conversation. */
  readonly sessionId: string | null
}

/** A run for a command. Its scope is owned by this process, or by the enclosing `stint`. */
export interface GovernedRun {
  readonly id: string
  readonly path: string
  /** The gateway, and the run's key there. */
  readonly gatewayUrl: string
  readonly key: string
  /** For a `stint` inside the command: `STINT_SCOPE`. */
  readonly token: string
  look(): Promise<RunState>
  usage(): Promise<Readonly<Record<Meter, MeterUsage>>>
  /** Reports output of the command as activity. Never throws. */
  touch(): void
  /** Ends the run and revokes its key. */
  close(status: EndStatus): Promise<void>
}
