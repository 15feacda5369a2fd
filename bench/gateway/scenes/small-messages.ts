import { playConversation, type Stretch } from '../play-conversation.ts'
import type { Scene } from './scene.ts'

// The system prompt, the task, and a tool call and its result for each further turn: beside the system prompt the last
// request has 2,401 messages.
const TURNS = 1_201
const RESULT_BYTES = 60

// 6: a turn costs what is new in it, not what it repeats. Both sides move the same bytes.
const STRETCHES: readonly Stretch[] = [
  { name: 'on the way', from: 1, to: TURNS - 40 },
  { name: '2,401 messages', from: TURNS - 39, to: TURNS, mostCpuOfRaw: 6 },
]

/** An agent with very many short turns: reading all of each request again would cost far more than what is new in it. */
export const SMALL_MESSAGES: Scene = {
  name: 'small-messages',
  play: () =>
    playConversation({
      title: `The last 40 requests of a conversation of 2,401 small messages, one caller, each 2 messages longer: CPU µs of a request`,
      stretches: STRETCHES,
      resultBytes: RESULT_BYTES,
      warmUpPasses: 1,
      passes: 5,
    }),
}
