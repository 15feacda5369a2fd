import { assertKnownOptions, optionNames } from '../../core/index.ts'
import { defuse } from './look-alikes/defuse.ts'

const OPTIONS = optionNames<{ readonly nonce?: string }>({ nonce: true })

/**
 * A tool result as the agent sees it: look-alikes defused, and the hint as its last paragraph. A `nonce` is included in
 * the hint; no tool can know it beforehand.
 */
export function appendHint(result: string, hint: string | null, options: { readonly nonce?: string } = {}): string {
  assertKnownOptions('appendHint', options, OPTIONS)
  const { nonce } = options
  const harmless = defuse(result)
  if (hint === null) return harmless
  const marked = nonce === undefined ? hint : hint.replace(/^\[budget:/, () => `[budget ${nonce}:`)
  return harmless === '' ? marked : `${harmless}\n\n${marked}`
}
