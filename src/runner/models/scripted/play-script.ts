import type { Script, ScriptedRequest, ScriptedTurn } from '../../../scripted/scripted-types.ts'
import type { ModelScript } from './parse-script.ts'

/**
 * Plays a script from the conversation's current turn, so that a run resumed in another process doesn't start over.
 * After its last turn it repeats, or fails like a provider.
 */
export function playScript({ turns, repeat, closing }: ModelScript): Script {
  return function* play(first) {
    let request = first
    let place = placeAfter(turns, first)
    while (repeat || place < turns.length) {
      const turn = turns[place % turns.length]!
      request = yield closing !== null && request.toolChoice === 'none' ? { text: closing } : turn
      place++
    }
  }
}

/** How many turns a conversation has had. Failed turns leave no trace in it. */
function placeAfter(turns: readonly ScriptedTurn[], { messages }: ScriptedRequest): number {
  let answers = messages.filter(({ role }) => role === 'assistant').length
  const answered = turns.filter(({ error }) => error === undefined).length
  if (answered === 0) return 0
  const rounds = Math.floor(answers / answered)
  answers -= rounds * answered
  let place = 0
  while (answers > 0) if (turns[place++]!.error === undefined) answers--
  return rounds * turns.length + place
}
