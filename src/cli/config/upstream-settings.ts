/** The providers that the gateway speaks to, as its addresses name them. */
export const UPSTREAM_NAMES = ['anthropic', 'openai'] as const

export type UpstreamName = (typeof UPSTREAM_NAMES)[number]

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
