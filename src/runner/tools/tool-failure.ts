import { StintError } from '../../core/index.ts'

/** A failed tool call. The message is for the model: short, and it says what to do instead. */
export class ToolFailure extends StintError<'tool_failed'> {
  constructor(message: string, cause?: unknown) {
    super('tool_failed', message, { cause })
  }
}
