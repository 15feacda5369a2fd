/** A provider's refusal, independent of the dialect. Not a `StintError`, since it comes from outside. */
export class ProviderRefusal extends Error {
  /** The HTTP status. */
  readonly status: number
  /** The provider's error type; `null`: the usual one for the status. */
  readonly type: string | null
  /** OpenAI: the field that it is about. */
  readonly param: string | null
  /** OpenAI: the error code. */
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

/** Status 400, which providers use for all problems with a body. */
export function badRequest(message: string, more: { readonly param?: string; readonly code?: string } = {}): never {
  throw new ProviderRefusal(400, message, more)
}
