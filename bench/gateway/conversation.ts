import { MODEL, toolOf } from './messages.ts'

const TOOLS = 12
/** How long a tool result is where nothing else is said. */
const RESULT_BYTES = 1_000

/** An agent's conversation: the request of each turn is the one before with a tool call and its result behind it. */
export interface Conversation {
  /** The body of the request of a turn. The first one, 1, has no tool call yet. */
  bodyOf(turn: number): string
}

/** A conversation that has nothing but its form in common with one of another number. */
export function createConversation(number: number, resultBytes = RESULT_BYTES): Conversation {
  const opening = JSON.stringify({
    model: MODEL,
    max_tokens: 256,
    tools: Array.from({ length: TOOLS }, (_, index) => toolOf(index)),
    messages: [
      { role: 'system', content: 'You are a careful engineer.' },
      { role: 'user', content: `Task ${number}: read the project and say what it does.` },
    ],
  })
  const end = ']}'
  const parts = [opening.slice(0, -end.length)]
  return {
    bodyOf(turn) {
      while (parts.length < turn) parts.push(toolRound(number, parts.length, resultBytes))
      return parts.slice(0, turn).join(',') + end
    },
  }
}

function toolRound(number: number, round: number, resultBytes: number): string {
  const id = `call_${number}_${round}`
  const call = { name: `tool_${round % TOOLS}`, arguments: JSON.stringify({ path: `src/file-${round}.ts` }) }
  const line = `line of file ${round} in conversation ${number}; `
  const content = line.repeat(Math.ceil(resultBytes / line.length)).slice(0, resultBytes)
  const messages = [
    { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: call }] },
    { role: 'tool', tool_call_id: id, content },
  ]
  return messages.map((message) => JSON.stringify(message)).join(',')
}
