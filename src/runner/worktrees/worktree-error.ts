import { StintError } from '../../core/index.ts'

/** Git worktrees cannot be created in this folder now. The message says what to do. */
export class WorktreeError extends StintError {
  constructor(message: string, cause?: unknown) {
    super('worktree_unusable', message, { cause })
  }
}
