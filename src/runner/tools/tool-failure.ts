import { StintError } from '../../core/index.ts'

/** What a tool could not do. The message is for the model: short, and it says what to do instead. */
export class ToolFailure extends StintError {
  constructor(message: string, cause?: unknown) {
    super('tool_failed', message, { cause })
  }
}
