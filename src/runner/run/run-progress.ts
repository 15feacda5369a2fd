import type { Meter } from '../../core/index.ts'

/** How a limited meter stands. */
export interface MeterRow {
  readonly meter: Meter
  /** The name that its limit was written with. */
  readonly name: string
  readonly used: number
  readonly max: number
}

/** How a tool call ended. */
export type ToolEnd = 'done' | 'failed' | 'refused' | 'stopped'

/** What is told while an agent runs. Whoever listens may throw: the run does not notice. */
export type RunProgress =
  | {
      readonly kind: 'started'
      readonly id: string
      readonly path: string
      readonly agent: string
      readonly model: string
      /** Whether it goes on with what was there. */
      readonly isResumed: boolean
    }
  /** A request goes out to a model. */
  | { readonly kind: 'model-call'; readonly model: string; readonly number: number }
  | { readonly kind: 'tool-call'; readonly id: string; readonly tool: string; readonly summary: string }
  /** `refused`: it was not run. `stopped`: it was running when its time was up. The model was told why. */
  | { readonly kind: 'tool-result'; readonly id: string; readonly tool: string; readonly end: ToolEnd }
  /** The text of one answer of the model. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'meters'; readonly rows: readonly MeterRow[] }
  | { readonly kind: 'nearing' | 'exceeded' | 'paused' | 'answered' | 'warning'; readonly message: string }
  /** It waits until a person has answered this request. */
  | { readonly kind: 'asking'; readonly request: string; readonly message: string }
