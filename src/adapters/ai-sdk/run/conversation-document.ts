import { InvalidOptionError, isPlainObject } from '../../../core/index.ts'
import type { AgentLoop } from '../agent-loop.ts'

/** What a paused loop goes on with: the messages of the AI SDK, and what they were shown with. */
export interface SavedConversation {
  readonly messages: readonly unknown[]
  readonly promptLine: string | null
  readonly hints: readonly (readonly [string, string | null])[]
}

const FORMAT = 'ai-sdk/1'
const BYTES = '$bytes'
const ADDRESS = '$url'

/** The conversation of a loop as data that JSON can hold: bytes and addresses come back as what they were. */
export function documentFrom({ promptLine, hints }: AgentLoop, messages: readonly unknown[]): unknown {
  return { format: FORMAT, messages: packed(messages), promptLine, hints: [...hints] }
}

/** The same, read again. Throws `InvalidOptionError` for what no loop of the AI SDK has saved. */
export function conversationFrom(document: unknown): SavedConversation {
  if (!isPlainObject(document) || document.format !== FORMAT || !Array.isArray(document.messages)) {
    const form = 'a scope that was paused by runGoverned, with the conversation of an agent of the AI SDK'
    throw new InvalidOptionError('resumeGoverned(scope)', document, form)
  }
  const { messages, promptLine, hints } = document
  return {
    messages: unpacked(messages) as readonly unknown[],
    promptLine: promptLine as string | null,
    hints: hints as SavedConversation['hints'],
  }
}

function packed(value: unknown): unknown {
  if (value instanceof Uint8Array) return { [BYTES]: Buffer.from(value).toString('base64') }
  if (value instanceof URL) return { [ADDRESS]: value.href }
  if (Array.isArray(value)) return value.map(packed)
  return isPlainObject(value) ? mapped(value, packed) : value
}

function unpacked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unpacked)
  if (!isPlainObject(value)) return value
  const { [BYTES]: bytes, [ADDRESS]: address } = value
  const isAlone = Object.keys(value).length === 1
  if (isAlone && typeof bytes === 'string') return new Uint8Array(Buffer.from(bytes, 'base64'))
  if (isAlone && typeof address === 'string') return new URL(address)
  return mapped(value, unpacked)
}

function mapped(value: object, change: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, change(held)]))
}
