import type { ProviderScript, ProviderTurn } from '../provider-turn.ts'
import { emitWholeCap } from './emit-whole-cap.ts'
import { type LoopOptions, loopForEver } from './loop-for-ever.ts'
import { sayOnce } from './say-once.ts'
import { toolThenText } from './tool-then-text.ts'

/** A script as data, for a provider in another process. */
export type ScriptData =
  | { readonly kind: 'sayOnce'; readonly text?: string }
  | { readonly kind: 'emitWholeCap' }
  | ({ readonly kind: 'loopForEver' } & LoopOptions)
  | ({ readonly kind: 'toolThenText'; readonly rounds: number } & LoopOptions)
  | { readonly kind: 'turns'; readonly turns: readonly ProviderTurn[] }

/** Converts data to a script. */
export function scriptFromData(data: ScriptData): ProviderScript {
  switch (data.kind) {
    case 'sayOnce':
      return sayOnce(data.text)
    case 'emitWholeCap':
      return emitWholeCap()
    case 'loopForEver':
      return loopForEver(data)
    case 'toolThenText':
      return toolThenText(data.rounds, data)
    case 'turns':
      return data.turns
  }
}
