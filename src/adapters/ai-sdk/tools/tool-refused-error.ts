import { StintError } from '../../../core/index.ts'
import type { ReachedLimit } from '../../../governor/edge.ts'

/** A tool call that did not run, or did not finish. The message is what the model sees: what to do now. */
export class ToolRefusedError extends StintError<'tool_refused'> {
  readonly tool: string
  /** The limit that refused it; `null` if a person paused the run, or the call repeated itself. */
  readonly breach: ReachedLimit | null
  /** It was running and was stopped before its end: its effects may be incomplete. */
  readonly wasStopped: boolean
  /** It had begun, and found that the run is paused: it may be made again when that continues. */
  readonly isLeftOpen: boolean

  /** `stopped`: it was running; carries the error it threw, if that was its own. */
  constructor(
    tool: string,
    message: string,
    breach: ReachedLimit | null,
    stopped: { readonly error: unknown } | null = null,
    { isLeftOpen = false }: { readonly isLeftOpen?: boolean } = {},
  ) {
    super('tool_refused', message, { cause: stopped?.error ?? undefined })
    this.tool = tool
    this.breach = breach
    this.wasStopped = stopped !== null
    this.isLeftOpen = isLeftOpen
  }

  /** Version 7 of the AI SDK shows the model this instead of the message: both must be the same. */
  override toString(): string {
    return this.message
  }
}
