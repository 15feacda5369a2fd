/** A route that answers with `input_tokens`, the name that all providers with such a route use. */
export interface TokenCounting {
  /** Appended to the path of a call. */
  readonly route: string
  /** The fields that the route accepts. It refuses others, such as the output cap. */
  readonly fields: ReadonlySet<string>
}

/** Longer than any answer with a count: `{"input_tokens": 123}` and whatever a provider may add. */
export const MOST_COUNT_BYTES = 16_384

/** Whether a status means that counting isn't available at all. */
export function isWithoutCount(status: number): boolean {
  return status === 404 || status === 405
}

/** The tokens in the answer of such a route; `null` if there is no plausible count. */
export function tokensOfCount(answer: string): number | null {
  try {
    const { input_tokens: tokens } = JSON.parse(answer) as { readonly input_tokens?: unknown }
    return Number.isSafeInteger(tokens) && (tokens as number) > 0 ? (tokens as number) : null
  } catch {
    return null
  }
}
