import type { ProviderDialect } from '../dialects/provider-dialect.ts'
import type { JsonObject } from '../json/json-value.ts'
import { parseStrictly } from '../json/parse-strictly.ts'
import { badRequest } from '../provider-refusal.ts'

/** Parses the body as JSON, or refuses it as the provider does. */
export function parseBody(body: Buffer, dialect: ProviderDialect): JsonObject {
  try {
    return parseStrictly(body)
  } catch (error) {
    const why = (error as Error).message
    return badRequest(
      dialect.name === 'anthropic-messages'
        ? `The request body is not valid JSON: ${why}`
        : `We could not parse the JSON body of your request. (${why})`,
    )
  }
}
