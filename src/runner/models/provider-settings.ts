/** Where the requests of a provider go, and which variable has its key. */
export interface ProviderSettings {
  /** `null`: the provider's own. */
  readonly baseUrl: string | null
  /** `null`: the usual variable of a provider that we know; any other is called without a key. */
  readonly apiKeyEnv: string | null
  /** Where it is written, as a phrase. */
  readonly place: string
}
