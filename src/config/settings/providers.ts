import * as z from 'zod/mini'
import { isPlainObject } from '../../core/index.ts'
import type { ProviderSettings } from '../../runner/models/model-source.ts'
import { placeAt } from '../problem-at.ts'
import { described, JSON_KEYWORDS, object, path, record, refusedUnseen, text } from '../schema-forms.ts'
import { setting } from '../setting.ts'
import { shownValue } from './shown-value.ts'

/** No user, query or fragment: only where requests go. */
export const BASE_URL_PATTERN =
  '^https?://(?:[A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}\\])(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~/-]{0,1000})?$'

/** The name of an environment variable, in capitals: a key put here by mistake hardly ever is. */
export const VARIABLE = text(
  refusedUnseen('the name of an environment variable (capitals, digits, _)', 'e.g. OPENAI_API_KEY'),
  '^[A-Z_][A-Z0-9_]{0,63}$',
)

function baseUrl(name: string, example: string): z.ZodMiniType<string> {
  const error = refusedUnseen('the address of a provider', `e.g. ${example}`)
  return text(error, BASE_URL_PATTERN).check(
    z.refine((address) => URL.canParse(address), error),
    z.refine((address) => name !== 'anthropic' || !/\/v1\/*$/.test(address), {
      error: "Leave out /v1, as Anthropic's own programs do. Write e.g. https://api.anthropic.com.",
    }),
  )
}

/** Where requests go and with which key, for a person. */
function requestsText(value: unknown, name: string): string {
  const { baseUrl: address = 'its own address', apiKeyEnv, apiKeyFile } = isPlainObject(value) ? value : {}
  const key = apiKeyEnv ?? apiKeyFile
  const keyText = key === undefined ? 'no key of its own' : `the key in ${shownValue(key)}`
  return `sends requests for ${name} to ${shownValue(address)}, with ${keyText}`
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '')

const OFFICIAL = { anthropic: 'https://api.anthropic.com', openai: 'https://api.openai.com/v1' } as const

/** The providers that the gateway speaks to, as its addresses name them. */
export type UpstreamName = keyof typeof OFFICIAL

/** Where the requests of a provider go, and where its key is. The key itself is read when a gateway is started. */
export interface UpstreamSettings {
  readonly baseUrl: string
  /** `null`: the credentials of each client pass through. */
  readonly key:
    | { readonly kind: 'variable'; readonly name: string }
    | { readonly kind: 'file'; readonly file: string }
    | null
  /** Where it is written, as a phrase. */
  readonly place: string
}

function upstream(name: UpstreamName) {
  const fields = object(
    {
      baseUrl: described(
        z.optional(baseUrl(name, OFFICIAL[name])),
        'As the provider’s own programs read it: Anthropic’s without `/v1`, OpenAI’s with it. Default: the provider’s own',
      ),
      apiKeyEnv: described(
        z.optional(VARIABLE),
        'The environment variable with the provider’s key, read when `stint serve` or `stint exec` starts',
      ),
      apiKeyFile: described(
        z.optional(path(refusedUnseen('the path of a file', 'e.g. ~/.secrets/provider-key'))),
        'The file with the key. The path is relative to the config’s folder; `~/` is your home',
      ),
    },
    refusedUnseen,
  ).check(
    z.refine(({ apiKeyEnv, apiKeyFile }) => apiKeyEnv === undefined || apiKeyFile === undefined, {
      error: 'The key is in a variable or in a file: keep one of apiKeyEnv and apiKeyFile.',
      path: ['apiKeyFile'],
    }),
  )
  const both = { type: 'object', properties: { apiKeyEnv: {}, apiKeyFile: {} }, required: ['apiKeyEnv', 'apiKeyFile'] }
  JSON_KEYWORDS.add(fields, { not: both })
  return fields
}

export const UPSTREAM = upstream('openai')

export const UPSTREAMS = setting({
  schema: object({ anthropic: z.optional(upstream('anthropic')), openai: z.optional(UPSTREAM) }, refusedUnseen),
  description:
    'Where the gateway sends requests: see [below](#upstreams). The key of a provider is in a variable or a file, never here',
  twoFiles: 'per provider, the later one',
  isByName: true,
  isSecret: true,
  allows: requestsText,
  none: new Map(),
  read(written, { document, pathOf }): ReadonlyMap<UpstreamName, UpstreamSettings> {
    const names = Object.keys(OFFICIAL) as UpstreamName[]
    const entries = names.flatMap((name): readonly (readonly [UpstreamName, UpstreamSettings])[] => {
      const fields = written[name]
      if (fields === undefined) return []
      const { baseUrl: address = OFFICIAL[name], apiKeyEnv, apiKeyFile } = fields
      const inFile = apiKeyFile === undefined ? null : { kind: 'file' as const, file: pathOf(apiKeyFile) }
      const key = apiKeyEnv === undefined ? inFile : { kind: 'variable' as const, name: apiKeyEnv }
      return [[name, { baseUrl: withoutSlash(address), key, place: placeAt(document, ['upstreams', name]) }]]
    })
    return new Map(entries)
  },
})

const MOST_PROVIDERS = 100
const PROVIDERS_ERROR = refusedUnseen(
  `a set of at most ${MOST_PROVIDERS} providers`,
  'e.g. { local: { baseUrl: http://localhost:8080/v1 } }',
)
/** `scripted/…` is reserved for scripted models. */
const NAME_PATTERN = '^(?!scripted$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'
const NAME = text(
  refusedUnseen('the name of a provider', 'letters, digits, dots, dashes and underscores; scripted is taken'),
  NAME_PATTERN,
)
const address = (name: string) => baseUrl(name, 'http://localhost:8080/v1')
/** A provider with its own address. */
const known = (name: string) =>
  z.optional(object({ baseUrl: z.optional(address(name)), apiKeyEnv: z.optional(VARIABLE) }, refusedUnseen))
const providers = z.catchall(
  z.object({ anthropic: known('anthropic'), openai: known('openai'), google: known('google') }),
  object({ baseUrl: address('other'), apiKeyEnv: z.optional(VARIABLE) }, refusedUnseen),
)
JSON_KEYWORDS.add(providers, {
  maxProperties: MOST_PROVIDERS,
  propertyNames: { type: 'string', pattern: NAME_PATTERN },
})

export const PROVIDERS = setting({
  schema: z.pipe(record(NAME, z.unknown(), MOST_PROVIDERS, PROVIDERS_ERROR), providers),
  description:
    'Providers of models that speak OpenAI’s chat completions, and other addresses of `anthropic`, `openai` and `google`: see [below](#models-and-providers). The key is in a variable, never here',
  twoFiles: 'per provider, the later one',
  isByName: true,
  isSecret: true,
  allows: requestsText,
  none: new Map(),
  read(written, { document }): ReadonlyMap<string, ProviderSettings> {
    const entries = Object.entries(written).map(([name, fields]) => {
      const { baseUrl: url, apiKeyEnv = null } = fields ?? {}
      const place = placeAt(document, ['providers', name])
      return [name, { baseUrl: url === undefined ? null : withoutSlash(url), apiKeyEnv, place }] as const
    })
    return new Map(entries)
  },
})
