import type { ProviderScript } from '../provider-turn.ts'

/** Answers every request with this text and is done: no tool is called. */
export function sayOnce(text = 'Done.'): ProviderScript {
  return () => ({ text })
}
