import { isPlainObject } from '../../../core/index.ts'
import type { ToolResultPart } from '../language-model.ts'

interface Message {
  readonly role?: unknown
  readonly content?: unknown
}

interface Part {
  readonly type?: unknown
  readonly toolCallId?: unknown
  readonly toolName?: unknown
  readonly input?: unknown
  readonly providerExecuted?: unknown
  readonly text?: unknown
  readonly output?: unknown
}

/** A conversation rebuilt from a transcript, and what was missing in it. */
export interface RebuiltConversation {
  readonly messages: readonly unknown[]
  /** The index of the first message of its own: those before it were handed over by another agent. */
  readonly ownFrom: number
  /** The calls that were running when the process died. */
  readonly interrupted: readonly InterruptedCall[]
  /** Its answer, or the result handed in with `submit`, so that the conversation is complete; `null` if it is not. */
  readonly answer: string | null
}

/** A call without a result, and the result that says so. */
export interface InterruptedCall {
  readonly result: ToolResultPart
  readonly input: unknown
  /** The conversation before the answer that made the call. */
  readonly before: readonly unknown[]
}

const INTERRUPTED =
  'Interrupted: the process that ran this call died before it had a result. It may or may not have happened: check before you do it again.'

/**
 * Rebuilds a conversation from the lines of a transcript, with results after the answer that called for them, in its
 * order. A call without a result gets one that says so, so that it is not silently repeated. `handedOver`: how many of
 * the lines belong to another agent.
 */
export function rebuiltConversation(lines: readonly unknown[], handedOver = 0): RebuiltConversation {
  const messages: unknown[] = []
  const interrupted: InterruptedCall[] = []
  let ownFrom = 0
  for (let place = 0; place < lines.length; place++) {
    if (place === handedOver) ownFrom = messages.length
    const message = lines[place] as Message
    const isEmpty = message.role === 'assistant' && partsOf(message).length === 0
    if (message.role === 'tool' || isEmpty) continue
    const from = messages.length
    messages.push(message)
    const calls = callsIn(message)
    if (calls.length === 0) continue
    const results = resultsAfter(lines, place)
    const content = calls.map((call) => {
      const known = results.get(call.toolCallId)
      if (known !== undefined) return known
      const made = interruptedResult(call)
      interrupted.push({ result: made, input: call.input, before: messages.slice(0, from) })
      return made
    })
    messages.push({ role: 'tool', content })
  }
  return { messages, ownFrom, interrupted, answer: answerIn(messages) }
}

function answerIn(messages: readonly unknown[]): string | null {
  const [before, last] = [messages.at(-2), messages.at(-1)] as readonly (Message | undefined)[]
  if (last?.role === 'assistant') {
    return partsOf(last)
      .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
      .join('')
  }
  if (last?.role !== 'tool' || before === undefined) return null
  const submitted = callsIn(before).findLast(({ toolName }) => toolName === 'submit')
  const result = partsOf(last).find(({ toolCallId }) => toolCallId === submitted?.toolCallId)
  const { answer } = isPlainObject(submitted?.input) ? submitted.input : {}
  const isTaken = isPlainObject(result?.output) && result.output.type === 'text'
  return isTaken && typeof answer === 'string' ? answer : null
}

interface Call {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
}

/** The calls that we had to run, not the provider. */
function callsIn(message: Message): readonly Call[] {
  if (message.role !== 'assistant') return []
  return partsOf(message).flatMap(({ type, toolCallId, toolName, input, providerExecuted }) => {
    const isOurs = type === 'tool-call' && providerExecuted !== true
    const isCall = isOurs && typeof toolCallId === 'string' && typeof toolName === 'string'
    return isCall ? [{ toolCallId, toolName, input }] : []
  })
}

/** The results up to the next answer, by call id. The first result of a call is the one that the model saw. */
function resultsAfter(lines: readonly unknown[], place: number): ReadonlyMap<string, Part> {
  const results = new Map<string, Part>()
  for (let next = place + 1; next < lines.length; next++) {
    const message = lines[next] as Message
    if (message.role !== 'tool') break
    for (const part of partsOf(message)) {
      if (typeof part.toolCallId === 'string' && !results.has(part.toolCallId)) results.set(part.toolCallId, part)
    }
  }
  return results
}

function interruptedResult({ toolCallId, toolName }: Call): ToolResultPart {
  return { type: 'tool-result', toolCallId, toolName, output: { type: 'error-text', value: INTERRUPTED } }
}

function partsOf({ content }: Message): readonly Part[] {
  return Array.isArray(content) ? content : []
}

/** The conversation with other results for some of its interrupted calls. */
export function withResults(
  messages: readonly unknown[],
  results: ReadonlyMap<ToolResultPart, ToolResultPart>,
): readonly unknown[] {
  return messages.map((message) => {
    if ((message as Message).role !== 'tool') return message
    const content = partsOf(message as Message).map((part) => results.get(part as ToolResultPart) ?? part)
    return { ...(message as Message), content }
  })
}
