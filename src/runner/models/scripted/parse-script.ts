import { showValue } from '../../../core/index.ts'
import type { ScriptedTurn } from '../../../scripted/scripted-types.ts'
import { InvalidScriptError } from './invalid-script-error.ts'
import { SCRIPT_SCHEMA } from './script-schema.ts'

/** The turns of a scripted model. */
export interface ModelScript {
  readonly turns: readonly ScriptedTurn[]
  readonly repeat: boolean
  readonly closing: string | null
}

/** Reads a script: a list of turns, or `{ turns, repeat, closing }`. Throws `InvalidScriptError`. */
export function parseScript(file: string, value: unknown): ModelScript {
  const script = Array.isArray(value) ? { turns: value } : value
  const { success, data, error } = SCRIPT_SCHEMA.safeParse(script)
  if (success) return data as ModelScript
  const { path, message } = error.issues[0]!
  const place = path.reduce<string>(
    (sum, step) => sum + (typeof step === 'number' ? `[${step}]` : `.${String(step)}`),
    '',
  )
  const found = path.reduce<unknown>((sum, step) => (sum as Record<PropertyKey, unknown> | undefined)?.[step], script)
  const where = place === '' ? 'it' : place.slice(1)
  throw new InvalidScriptError(file, `${where} is ${showValue(found)} (${message})`)
}
