import { isGiven, type JsonObject, objectOf, objectsOf, textOf } from '../../json/json-value.ts'
import { badRequest } from '../../provider-refusal.ts'
import { blockProblem } from './block-problem.ts'

export interface Message {
  readonly role: 'user' | 'assistant'
  readonly blocks: readonly JsonObject[]
}

/** The messages, with consecutive ones of the same role joined. Throws what the provider refuses. */
export function checkMessages(value: unknown, mustHaveThought: boolean): readonly Message[] {
  if (!Array.isArray(value)) return badRequest('messages: Field required')
  if (value.length === 0) return badRequest('messages: at least one message is required')
  const messages = joinRoles(value.map((each, at) => messageFrom(each, at, at === value.length - 1)))
  messages.forEach((message, at) => {
    checkToolUses(messages, at)
    if (message.role === 'user') checkToolResults(messages, at)
  })
  if (mustHaveThought) checkThinking(messages)
  return messages
}

function messageFrom(value: unknown, at: number, isLast: boolean): Message {
  const message = objectOf(value) ?? badRequest(`messages.${at}: Input should be a valid dictionary`)
  const { role, content } = message
  if (role !== 'user' && role !== 'assistant') {
    return badRequest(`messages.${at}.role: Input should be 'user' or 'assistant'`)
  }
  if (!isGiven(content)) return badRequest(`messages.${at}.content: Field required`)
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
  const isEmpty = blocks.length === 0 || content === ''
  if (isEmpty && !(isLast && role === 'assistant')) {
    return badRequest(
      `messages.${at}: all messages must have non-empty content except for the optional final assistant message`,
    )
  }
  // Only a final assistant message may be empty.
  for (const [place, block] of content === '' ? [] : blocks.entries()) {
    const problem = blockProblem(block)
    if (problem !== null) return badRequest(`messages.${at}.content.${place}${problem}`)
  }
  if (isLast && role === 'assistant') {
    const last = blocks.at(-1)
    if (last?.type === 'text' && /\s$/.test(textOf(last.text))) {
      return badRequest('messages: final assistant content cannot end with trailing whitespace')
    }
  }
  return { role, blocks }
}

function joinRoles(messages: readonly Message[]): readonly Message[] {
  const joined: Message[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (last?.role !== message.role) joined.push(message)
    else joined[joined.length - 1] = { role: last.role, blocks: [...last.blocks, ...message.blocks] }
  }
  return joined
}

/** The ids of a message's tool uses, or of the uses that its results answer. */
export function idsOf(message: Message | undefined, type: 'tool_use' | 'tool_result'): readonly string[] {
  const field = type === 'tool_use' ? 'id' : 'tool_use_id'
  return (message?.blocks ?? []).flatMap((block) => (block.type === type ? [textOf(block[field])] : []))
}

function checkToolUses(messages: readonly Message[], at: number): void {
  const uses = idsOf(messages[at], 'tool_use')
  if (uses.length === 0) return
  if (messages[at]!.role === 'user')
    badRequest(`messages.${at}: \`tool_use\` blocks can only be in \`assistant\` messages`)
  if (new Set(uses).size < uses.length) badRequest(`messages.${at}: \`tool_use\` ids must be unique`)
  const answered = new Set(leadingResults(messages[at + 1]))
  const missing = uses.filter((id) => !answered.has(id))
  if (missing.length > 0) {
    badRequest(
      `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. ` +
        'Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    )
  }
}

// Results must come first: after other content they don't count.
function leadingResults(message: Message | undefined): readonly string[] {
  const blocks = message?.blocks ?? []
  const end = blocks.findIndex((block) => block.type !== 'tool_result')
  return idsOf({ role: 'user', blocks: end === -1 ? blocks : blocks.slice(0, end) }, 'tool_result')
}

function checkToolResults(messages: readonly Message[], at: number): void {
  const uses = new Set(idsOf(messages[at - 1], 'tool_use'))
  const seen = new Set<string>()
  for (const id of idsOf(messages[at], 'tool_result')) {
    if (!uses.has(id)) {
      badRequest(
        `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
          'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
      )
    }
    if (seen.has(id)) {
      badRequest(
        `messages.${at}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
      )
    }
    seen.add(id)
  }
}

// During a turn with tools, its thinking must be sent back unchanged.
function checkThinking(messages: readonly Message[]): void {
  const at = messages.findLastIndex(({ role }) => role === 'assistant')
  const last = messages[at]
  if (last === undefined) return
  const isOpenTurn = at === messages.length - 1 || idsOf(last, 'tool_use').length > 0
  const first = textOf(last.blocks[0]?.type)
  if (isOpenTurn && first !== 'thinking' && first !== 'redacted_thinking') {
    badRequest(
      `messages.${at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`. ` +
        'When `thinking` is enabled, a final `assistant` message must start with a thinking block.',
    )
  }
}
