import { isPlainObject } from '../../../core/index.ts'

/**
 * Whether an error status means that nothing was generated. A provider refuses with every 4xx except 408, with 503 and
 * 529, and with a 500 or 502 in its own error format. Any other 5xx may come from a proxy that gave up on an answer in
 * progress.
 */
export function isRefusal(status: number, error: Readonly<Record<string, unknown>>): boolean {
  if (status === 408) return false
  // A redirect is not followed, and generates nothing.
  if (status >= 300 && status < 500) return true
  if (status === 503 || status === 529) return true
  return (status === 500 || status === 502) && hasRequestId(error) && hasErrorShape(error)
}

/**
 * Whether a provider's client threw this error for a response: a status alone could come from anything else the caller
 * does. Such an error has the response's headers or a request id, says what was sent where (the AI SDK), or has the
 * provider's error format.
 */
export function isProviderError(error: Readonly<Record<string, unknown>>): boolean {
  const { responseHeaders, headers, requestBodyValues, url } = error
  if ([responseHeaders, headers].some((given) => typeof given === 'object' && given !== null)) return true
  if (requestBodyValues !== undefined && typeof url === 'string') return true
  return hasRequestId(error) || hasErrorShape(error)
}

// Anthropic, OpenAI and compatible providers.
const REQUEST_ID_HEADERS = ['request-id', 'x-request-id']

function hasRequestId({ responseHeaders, headers, requestID, request_id }: Readonly<Record<string, unknown>>): boolean {
  if ([requestID, request_id].some(isText)) return true
  const given = responseHeaders ?? headers
  if (given instanceof Headers) return REQUEST_ID_HEADERS.some((name) => isText(given.get(name)))
  if (typeof given !== 'object' || given === null) return false
  return Object.entries(given).some(([name, value]) => REQUEST_ID_HEADERS.includes(name.toLowerCase()) && isText(value))
}

/** `{ "error": { "type" or "code" or "status", "message" } }`, in whatever form the client left it. */
function hasErrorShape({ data, responseBody, body, error, message }: Readonly<Record<string, unknown>>): boolean {
  // Google's client puts it in the error's message.
  const read = [data, responseBody, body, error, { error }, message].map(parsed)
  return read.some((each) => {
    const said = isPlainObject(each) ? each.error : null
    return (
      isPlainObject(said) && isText(said.message) && [said.type, said.code, said.status].some((kind) => kind != null)
    )
  })
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string' && !Buffer.isBuffer(value)) return value
  try {
    return JSON.parse(String(value))
  } catch {
    return null
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
