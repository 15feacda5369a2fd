import type { LimitFlags } from './layers-from-flags.ts'

/** The flags of `stint run`. */
export interface RunFlags extends LimitFlags {
  readonly model?: string
  readonly baseUrl?: string
  readonly name?: string
  readonly within?: string
  readonly team?: string
  readonly user?: string
  readonly wrapUp: boolean
  readonly tools?: string
  readonly read?: readonly string[]
  readonly output?: string
  readonly background?: boolean
  readonly id?: string
}
