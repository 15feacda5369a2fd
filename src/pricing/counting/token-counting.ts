/** A route that answers with `input_tokens`, as every provider that counts calls it. */
export interface TokenCounting {
  /** What is put behind the path of a call. */
  readonly route: string
  /** The fields of a request that the route takes. It refuses others, such as the output cap. */
  readonly fields: ReadonlySet<string>
}

/** Longer than any answer with a count: `{"input_tokens": 123}`, and what a provider may add to that. */
export const MOST_COUNT_BYTES = 16_384

/** Whether a status says that there is nothing to count with, now or later. */
export function isWithoutCount(status: number): boolean {
  return status === 404 || status === 405
}

/** The tokens that the answer of such a route names; `null` where it names none that can be believed. */
export function tokensOfCount(answer: string): number | null {
  try {
    const { input_tokens: tokens } = JSON.parse(answer) as { readonly input_tokens?: unknown }
    return Number.isSafeInteger(tokens) && (tokens as number) > 0 ? (tokens as number) : null
  } catch {
    return null
  }
}
