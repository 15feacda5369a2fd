/** What the provider says no with, before a dialect gives it a form. To whoever is tested it comes from outside. */
export class ProviderRefusal extends Error {
  /** As of HTTP. */
  readonly status: number
  /** The provider's word for it; `null`: the usual one of the status. */
  readonly type: string | null
  /** OpenAI: the field that it is about. */
  readonly param: string | null
  /** OpenAI: what programs look at. */
  readonly code: string | null

  constructor(
    status: number,
    message: string,
    more: { readonly type?: string | null; readonly param?: string | null; readonly code?: string | null } = {},
  ) {
    super(message)
    this.name = 'ProviderRefusal'
    this.status = status
    this.type = more.type ?? null
    this.param = more.param ?? null
    this.code = more.code ?? null
  }
}

/** Status 400, which providers use for everything that is wrong with a body. */
export function badRequest(message: string, more: { readonly param?: string; readonly code?: string } = {}): never {
  throw new ProviderRefusal(400, message, more)
}
