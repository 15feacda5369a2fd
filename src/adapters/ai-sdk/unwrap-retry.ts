import { RetryError } from 'ai'
import { isStintError } from '../../core/index.ts'

/** The original error: the AI SDK wraps the error that ends a retried call. Other errors are returned unchanged. */
export function unwrapRetry(error: unknown): unknown {
  return RetryError.isInstance(error) && isStintError(error.lastError) ? error.lastError : error
}
