/** The base URLs for clients: Anthropic's without `/v1`, OpenAI's with it. */
export interface BaseUrls {
  readonly anthropic: string
  readonly openai: string
}

export function baseUrlsAt(url: string): BaseUrls {
  return { anthropic: `${url}/anthropic`, openai: `${url}/openai/v1` }
}
