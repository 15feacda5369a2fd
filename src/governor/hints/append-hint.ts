import { assertKnownOptions, optionNames } from '../../core/index.ts'
import { defuse } from './defuse.ts'

/** How a hint is written. */
export interface HintOptions {
  readonly nonce?: string
}

const OPTIONS = optionNames<HintOptions>({ nonce: true })

/**
 * A tool result as the agent sees it: look-alikes defused, and the hint as its last paragraph. With a `nonce` the hint
 * carries it, which no tool can know beforehand.
 */
export function appendHint(result: string, hint: string | null, options: HintOptions = {}): string {
  assertKnownOptions('appendHint', options, OPTIONS)
  const { nonce } = options
  const harmless = defuse(result)
  if (hint === null) return harmless
  const marked = nonce === undefined ? hint : hint.replace(/^\[budget:/, () => `[budget ${nonce}:`)
  return harmless === '' ? marked : `${harmless}\n\n${marked}`
}
