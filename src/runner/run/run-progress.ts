import type { Meter, Status } from '../../core/index.ts'

/** The usage of a limited meter. */
export interface MeterRow {
  readonly meter: Meter
  /** The name under which its limit was written. */
  readonly name: string
  readonly used: number
  readonly max: number
}

/** How a tool call ended. */
export type ToolEnd = 'done' | 'failed' | 'refused' | 'stopped'

/** Reported while an agent runs. Errors of the listener are ignored. */
export type RunProgress =
  | {
      readonly kind: 'started'
      readonly id: string
      readonly path: string
      readonly agent: string
      readonly model: string
      /** Whether it was resumed. */
      readonly isResumed: boolean
    }
  /** A request is about to be sent. */
  | { readonly kind: 'model-call'; readonly model: string; readonly number: number }
  | { readonly kind: 'tool-call'; readonly id: string; readonly tool: string; readonly summary: string }
  /** `refused`: it was not run. `stopped`: it was running when its time was up. The model sees why. */
  | { readonly kind: 'tool-result'; readonly id: string; readonly tool: string; readonly end: ToolEnd }
  /** The text of one answer. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'meters'; readonly rows: readonly MeterRow[] }
  /** `checking`: a check of the work begins or has ended. */
  | { readonly kind: 'nearing' | 'exceeded' | 'paused' | 'answered' | 'checking' | 'warning'; readonly message: string }
  /** It waits for a person to answer this request. */
  | { readonly kind: 'asking'; readonly request: string; readonly message: string; readonly reason: string }
  /** Progress of an agent that it has started, by the name of its scope. */
  | { readonly kind: 'child'; readonly id: string; readonly name: string; readonly progress: RunProgress }
  | {
      readonly kind: 'child-ended'
      readonly id: string
      readonly name: string
      readonly status: Status
      readonly error: string | null
    }
