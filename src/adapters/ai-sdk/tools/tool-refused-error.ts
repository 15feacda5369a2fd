import { StintError } from '../../../core/index.ts'
import type { ReachedLimit } from '../../../governor/index.ts'

/** A tool call that was not run, or not to its end. The message is what the model is told: what to do now. */
export class ToolRefusedError extends StintError {
  readonly tool: string
  /** The limit behind it; `null` where a person paused the run, or the call repeated itself. */
  readonly breach: ReachedLimit | null
  /** It was running, and was stopped before its end: what it did may be half done. */
  readonly wasStopped: boolean

  /** `stopped`: it was running, with what it threw then, if that is an error of its own. */
  constructor(
    tool: string,
    message: string,
    breach: ReachedLimit | null,
    stopped: { readonly error: unknown } | null = null,
  ) {
    super('tool_refused', message, { cause: stopped?.error ?? undefined })
    this.tool = tool
    this.breach = breach
    this.wasStopped = stopped !== null
  }

  /** Version 7 of the AI SDK shows the model this, and not the message: both are to be the same. */
  override toString(): string {
    return this.message
  }
}
