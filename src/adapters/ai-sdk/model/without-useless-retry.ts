import { APICallError } from 'ai'
import { isUnusableAddress } from '../../../governor/edge.ts'

/**
 * An error as the AI SDK is to see it: an address that can't be used, such as a port that `fetch` blocks, is not tried
 * again. Other errors stay as they are.
 */
export function withoutUselessRetry(error: unknown): unknown {
  if (!APICallError.isInstance(error) || !error.isRetryable || !isUnusableAddress(error)) return error
  const { message, url, requestBodyValues, cause } = error
  return new APICallError({ message, url, requestBodyValues, cause, isRetryable: false })
}
