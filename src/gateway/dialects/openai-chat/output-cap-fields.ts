import type { WireRequest } from '../dialect.ts'

const FIELDS = ['max_completion_tokens', 'max_tokens'] as const
// The names of OpenAI's own models; its reasoning models refuse `max_tokens`. Other providers only know that field.
const OPENAI_MODEL = /^(ft:)?(gpt-(?!oss)|o\d|chatgpt-|codex-)/

/** The fields of the output cap with their values: those in the request, else the one that its model supports. */
export function outputCapFields({ json, model }: WireRequest): readonly (readonly [field: string, asked: number])[] {
  const present = FIELDS.flatMap((field) => {
    const asked = json.value[field]
    return typeof asked === 'number' ? [[field, asked] as const] : []
  })
  if (present.length > 0) return present
  const isOpenAi = OPENAI_MODEL.test(model.slice(model.lastIndexOf('/') + 1))
  return [[isOpenAi ? 'max_completion_tokens' : 'max_tokens', Number.POSITIVE_INFINITY]]
}
