/** One way to look up a model: a name, the provider whose price list has it, and what the endpoint adds. */
export interface ModelCandidate {
  readonly name: string
  readonly provider: string | undefined
  /** Bedrock's regional endpoints add a tenth if only the vendor's own price is known. */
  readonly isRegional: boolean
}

const LONGEST_NAME = 200
// Printable ASCII without spaces: no model has another name, and nothing else may reach a cache or a message.
const VALID_NAME = /^[!-~]+$/
// Claude Code's mark for the 1M-token variant of a model; the price tiers cover that already.
const CONTEXT_SUFFIX = /\[\d+[km]\]$/
const BEDROCK =
  /^(?:(us|eu|apac|jp|au|ca|us-gov|global)\.)?(anthropic|amazon|meta|mistral|openai|cohere|deepseek|qwen|google)\.(.+)$/
const BEDROCK_VERSION = /(?:-v\d+)?(?::\d+)?$/
const VERTEX_DATE = /^(.+)@(\d{8}|latest|default)$/
const MOST_SEGMENTS = 4

/** The ways to look up `model`, best first; none for a name that no model can have. Never throws. */
export function modelCandidates(model: string, provider?: string): readonly ModelCandidate[] {
  const name = normalizeModelName(model)
  if (name === null) return []
  const candidates: ModelCandidate[] = []
  if (provider !== undefined) candidates.push({ name, provider: provider.toLowerCase(), isRegional: false })
  for (const [owner, rest] of pathSuffixes(resourceName(name))) candidates.push(...hostedForms(rest, owner))
  return candidates
}

/**
 * The name as the price book compares it: lower case, without Claude Code's `[1m]`. `null` if it isn't a valid name.
 */
export function normalizeModelName(model: unknown): string | null {
  if (typeof model !== 'string' || model.length > LONGEST_NAME) return null
  const name = model.trim().toLowerCase().replace(CONTEXT_SUFFIX, '')
  return VALID_NAME.test(name) ? name : null
}

/** The model inside a resource name: an ARN, or `publishers/…/models/NAME`. */
function resourceName(name: string): string {
  if (name.startsWith('arn:')) return name.slice(name.lastIndexOf('/') + 1)
  const models = name.lastIndexOf('models/')
  return models === -1 ? name : name.slice(models + 'models/'.length)
}

/**
 * `openrouter/anthropic/claude` is `anthropic/claude` at OpenRouter, or `claude` at Anthropic. A name with one slash is
 * tried first at the provider it names, then as one of OpenRouter's own.
 */
function pathSuffixes(name: string): readonly (readonly [owner: string | undefined, rest: string])[] {
  const segments = name.split('/')
  if (segments.length === 1 || segments.length > MOST_SEGMENTS) return [[undefined, name]]
  const suffixes: (readonly [string | undefined, string])[] = []
  for (let index = 1; index < segments.length; index++) {
    suffixes.push([segments[index - 1], segments.slice(index).join('/')])
  }
  if (segments[0] !== 'openrouter') suffixes.push(['openrouter', name])
  suffixes.push([undefined, segments.at(-1)!])
  return suffixes
}

function hostedForms(name: string, owner: string | undefined): readonly ModelCandidate[] {
  const bedrock = BEDROCK.exec(name)
  if (bedrock !== null) {
    const [, region, , rest] = bedrock
    return [
      { name, provider: 'aws', isRegional: false },
      { name: rest!.replace(BEDROCK_VERSION, ''), provider: undefined, isRegional: region !== 'global' },
    ]
  }
  const vertex = VERTEX_DATE.exec(name)
  if (vertex !== null) {
    return [
      { name, provider: 'google', isRegional: false },
      { name: `${vertex[1]}-${vertex[2]}`, provider: undefined, isRegional: false },
    ]
  }
  // The table can't tell the provider from every name: `codex-mini-latest`, `text-embedding-3-small`, `sonar-pro`.
  const providers = owner === undefined ? [undefined, 'openai', 'perplexity'] : [owner]
  return providers.map((provider) => ({ name, provider, isRegional: false }))
}
