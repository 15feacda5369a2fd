import { APICallError } from 'ai'
import { isPlainObject } from '../../../../core/index.ts'
import { reachOf } from '../../../../governor/edge.ts'
import type { Failure, ProviderFault } from '../../../../loop/retry.ts'

const LONGEST_WAIT_MS = 60_000
const NOT_OF_THE_PROVIDER: Failure = { fault: null, isRetryable: false, waitMs: null }

/** Why a call failed. Only errors of AI SDK providers say so. */
export function failureOf(error: unknown): Failure {
  if (!APICallError.isInstance(error)) return NOT_OF_THE_PROVIDER
  return { fault: faultOf(error), isRetryable: error.isRetryable, waitMs: askedWait(error) }
}

/**
 * Whether a call failed because of its provider, so that another one may succeed. A limit is never such a reason, and
 * neither is a mistake of the caller: an invalid key, a malformed request.
 */
function faultOf(error: APICallError): ProviderFault {
  const { statusCode: status, responseHeaders } = error
  if (status === undefined) return reachOf(error) === 'unsent' ? 'gone' : error.isRetryable ? 'lost' : null
  if (status === 408 || status >= 500) return reachOf(error) === 'refused' ? 'busy' : 'lost'
  if (status === 404 || isModelUnknown(error.data)) return 'gone'
  // One of our own gateways is in between, and these codes mean that a limit was reached.
  const isGoverned = Object.keys(responseHeaders ?? {}).some((name) => name.toLowerCase() === 'x-stint-scope')
  return !isGoverned && status === 429 ? 'busy' : null
}

function isModelUnknown(data: unknown): boolean {
  const error = isPlainObject(data) ? data.error : null
  return isPlainObject(error) && error.code === 'model_not_found'
}

/** The wait that the provider asks for, unless it is too long. */
function askedWait({ responseHeaders = {} }: APICallError): number | null {
  const inMs = Number(responseHeaders['retry-after-ms'] ?? Number.NaN)
  const waitMs = Number.isNaN(inMs) ? Number(responseHeaders['retry-after'] ?? Number.NaN) * 1_000 : inMs
  return waitMs >= 0 && waitMs <= LONGEST_WAIT_MS ? waitMs : null
}
