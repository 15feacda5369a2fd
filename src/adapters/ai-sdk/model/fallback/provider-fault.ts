import { APICallError } from 'ai'
import { isPlainObject } from '../../../../core/index.ts'
import { reachOf } from '../../../../governor/edge.ts'

/**
 * `gone`: asking this model again is no use. `busy`: it may answer in a while. `lost`: it may have answered, and that
 * didn't arrive: asking it again may cost as much again. `null`: the provider is not to blame.
 */
export type ProviderFault = 'gone' | 'busy' | 'lost' | null

/**
 * Whether a call failed for a reason of its provider, so that another one may do better. A limit never is such a
 * reason, nor what the caller did wrong: a key that is not valid, a request that cannot be read.
 */
export function providerFault(error: unknown): ProviderFault {
  if (!APICallError.isInstance(error)) return null
  const { statusCode: status, responseHeaders } = error
  if (status === undefined) return reachOf(error) === 'unsent' ? 'gone' : error.isRetryable ? 'lost' : null
  if (status === 408 || status >= 500) return reachOf(error) === 'refused' ? 'busy' : 'lost'
  if (status === 404 || isModelUnknown(error.data)) return 'gone'
  // One of our own gateways is in between, and says with these that a limit was reached.
  const isGoverned = Object.keys(responseHeaders ?? {}).some((name) => name.toLowerCase() === 'x-stint-scope')
  return !isGoverned && status === 429 ? 'busy' : null
}

function isModelUnknown(data: unknown): boolean {
  const error = isPlainObject(data) ? data.error : null
  return isPlainObject(error) && error.code === 'model_not_found'
}
