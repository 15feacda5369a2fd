// What a client of these APIs says about its request, itself or its tracing. Nothing here decides who is billed, where
// a request goes or what is done: that is up to the operator.
const NAMES: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-type',
  'user-agent',
  'anthropic-version',
  'anthropic-beta',
  'anthropic-dangerous-direct-browser-access',
  'openai-beta',
  'idempotency-key',
  'x-request-id',
  'x-client-request-id',
  'traceparent',
  'tracestate',
  'x-app',
  'x-session-id',
  'session_id',
  'conversation_id',
  'originator',
  'version',
])
const PREFIXES = ['x-stainless-', 'x-claude-code-', 'x-codex-'] as const

/**
 * The client headers that may be forwarded with a key that is not its own; names and values alternating. An allowlist:
 * gateways and providers have various headers that select the organization or account that pays.
 */
export function billingSafeHeaders(passedOn: readonly string[]): readonly string[] {
  const kept: string[] = []
  for (let index = 0; index + 1 < passedOn.length; index += 2) {
    const name = passedOn[index]!
    if (NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix))) kept.push(name, passedOn[index + 1]!)
  }
  return kept
}
