import { StintError } from '../../core/index.ts'

/** A folder in which git worktrees cannot be made now. The message says what to do. */
export class WorktreeError extends StintError {
  constructor(message: string, cause?: unknown) {
    super('worktree_unusable', message, { cause })
  }
}
