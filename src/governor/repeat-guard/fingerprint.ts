import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import { normalizeError } from './normalize-error.ts'

/** A tool call, and how the tool was declared. */
export interface RepeatableCall {
  readonly tool: string
  readonly arguments: unknown
  /** It has side effects, so an earlier question may now have another answer. */
  readonly changes?: boolean
  /** It is called repeatedly on purpose. */
  readonly polls?: boolean
}

/** How a call ended. The result as the tool returned it, before a hint is added: hints always differ. */
export type CallEnding = { readonly result: unknown } | { readonly error: unknown }

/** Equal for the same tool and arguments; `null` if that cannot be determined. Short, however large they are. */
export function callFingerprint({ tool, arguments: given }: RepeatableCall): string | null {
  const text = canonicalJson(given)
  return text === null ? null : digest(`${tool}\n${text}`)
}

/** Equal for the same result or the same normalized error; `null` if that cannot be determined. */
export function endingFingerprint(ending: CallEnding): string | null {
  if ('error' in ending) return digest(`error ${normalizeError(ending.error)}`)
  const text = canonicalJson(ending.result)
  return text === null ? null : digest(`result ${text}`)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
