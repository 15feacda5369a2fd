import { InvalidOptionError } from '../../core/index.ts'
import type { Scope } from '../governor.ts'
import { runtimeBehind } from '../scope/scope-handle.ts'

/**
 * Says what the loop of a scope needs to go on; `null` when it has ended. For adapters: every pause that begins here
 * saves it, so that a process that dies in a pause, or while a question waits for its answer, loses nothing.
 */
export function keepConversation(scope: Scope, read: (() => unknown) | null): void {
  const runtime = runtimeBehind(scope)
  if (runtime === null) throw new InvalidOptionError('keepConversation(scope)', scope, 'a scope of a governor')
  runtime.readConversation = read
}
