import type { LimitFormat } from './limit-names.ts'
import type { WrittenAt } from './written-at.ts'

/** Where limits are written, and in whose words. */
export interface ParseOptions extends WrittenAt {
  /** Whether `false` clears a limit, as it does in agent files and overrides. */
  readonly allowFalse?: boolean | undefined
  readonly format?: LimitFormat | undefined
}
