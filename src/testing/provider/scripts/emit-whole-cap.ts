import type { ProviderScript } from '../provider-turn.ts'

/** Writes text until the output cap stops it: every answer has exactly as many tokens as allowed. */
export function emitWholeCap(): ProviderScript {
  return () => ({ fillsCap: true })
}
