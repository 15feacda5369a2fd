import type { CallerFlags } from './caller-from.ts'
import type { LimitFlags } from './layers-from-flags.ts'

/** The flags of every command that runs agents. */
export interface LaunchFlags extends LimitFlags, CallerFlags {
  readonly askAbove?: readonly string[]
  readonly model?: string
  readonly baseUrl?: string
  readonly name?: string
  readonly wrapUp: boolean
  readonly background?: boolean
  readonly id?: string
}

/** The flags of `stint run`. */
export interface RunFlags extends LaunchFlags {
  readonly tools?: string
  readonly read?: readonly string[]
  readonly output?: string
  /** `false`: none. */
  readonly acceptance?: string | false
}
