import { RetryError } from 'ai'
import { isStintError } from '../../core/index.ts'

/** An error as we threw it: the AI SDK wraps what ends a call that it had tried before. Other errors stay as they are. */
export function unwrapRetry(error: unknown): unknown {
  return RetryError.isInstance(error) && isStintError(error.lastError) ? error.lastError : error
}
