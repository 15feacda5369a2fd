import { APICallError } from 'ai'
import { isUnusableAddress } from '../../../governor/edge.ts'

/**
 * Stops the AI SDK from retrying an unusable address, such as a port that `fetch` blocks. Other errors are returned
 * unchanged.
 */
export function withoutUselessRetry(error: unknown): unknown {
  if (!APICallError.isInstance(error) || !error.isRetryable || !isUnusableAddress(error)) return error
  const { message, url, requestBodyValues, cause } = error
  return new APICallError({ message, url, requestBodyValues, cause, isRetryable: false })
}
