import type { ProviderScript } from '../provider-turn.ts'

/** Answers every request with this text, without tool calls. */
export function sayOnce(text = 'Done.'): ProviderScript {
  return () => ({ text })
}
