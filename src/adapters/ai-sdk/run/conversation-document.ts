import { messageOf } from '../../../core/checks/thrown.ts'
import { InvalidOptionError, isPlainObject } from '../../../core/index.ts'
import { savedValue, valueFromSaved } from './saved-value.ts'

/** What a paused run continues with: its AI SDK messages, and the prompt line and hints they were shown with. */
export interface SavedConversation {
  readonly messages: readonly unknown[]
  readonly promptLine: string | null
  readonly hints: readonly (readonly [string, string | null])[]
}

const FORMAT = 'ai-sdk/1'

/** The conversations of a scope's runs, by name, as JSON data. */
export function documentFrom(runs: ReadonlyMap<string, SavedConversation>): unknown {
  const saved = [...runs].map(([name, { messages, ...shown }]) => ({ name, ...shown, messages: savedValue(messages) }))
  return { format: FORMAT, runs: saved }
}

/** Parses that document. Throws `InvalidOptionError` for anything that an AI SDK run did not save. */
export function conversationsFrom(document: unknown): ReadonlyMap<string, SavedConversation> {
  try {
    if (!isPlainObject(document) || document.format !== FORMAT) throw new TypeError('of another format')
    return new Map(listIn(document.runs).map(conversationFrom))
  } catch (error) {
    const form = 'a scope that was paused by runGoverned, with the conversation of an agent of the AI SDK'
    throw new InvalidOptionError('resumeGoverned(scope)', document, `${form} (${messageOf(error)})`)
  }
}

function conversationFrom(saved: unknown): readonly [string, SavedConversation] {
  if (!isPlainObject(saved) || typeof saved.name !== 'string') throw new TypeError('a run without a name')
  const { name, promptLine, hints, messages } = saved
  const line = textOrNull(promptLine)
  const shown = listIn(hints).map((entry) => {
    const [id, hint] = listIn(entry)
    if (typeof id !== 'string') throw new TypeError('a hint without a place')
    return [id, textOrNull(hint)] as const
  })
  return [name, { messages: listIn(valueFromSaved(messages)), promptLine: line, hints: shown }]
}

function listIn(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError('a field is not a list')
  return value
}

function textOrNull(value: unknown): string | null {
  if (value !== null && typeof value !== 'string') throw new TypeError('a field is not a string')
  return value
}
