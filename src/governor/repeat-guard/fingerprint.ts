import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import { normalizeError } from './normalize-error.ts'

/** A tool call, and what the tool was declared to be. */
export interface RepeatableCall {
  readonly tool: string
  readonly arguments: unknown
  /** It changes things, so that what was asked before may now have another answer. */
  readonly changes?: boolean
  /** It is called again and again on purpose. */
  readonly polls?: boolean
}

/** How a call ended. The result as the tool gave it, before any hint is put on it: a hint is never twice the same. */
export type CallEnding = { readonly result: unknown } | { readonly error: unknown }

/** The same for the same tool and arguments; `null` if that cannot be said. Short, however large they are. */
export function callFingerprint({ tool, arguments: given }: RepeatableCall): string | null {
  const text = canonicalJson(given)
  return text === null ? null : digest(`${tool}\n${text}`)
}

/** The same for the same result or the same normalised error; `null` if that cannot be said. */
export function endingFingerprint(ending: CallEnding): string | null {
  if ('error' in ending) return digest(`error ${normalizeError(ending.error)}`)
  const text = canonicalJson(ending.result)
  return text === null ? null : digest(`result ${text}`)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
