import { playConversation, type Stretch } from '../play-conversation.ts'
import type { Scene } from './scene.ts'

const TURNS = 400

// Bounds are a third above what was measured when they were set: they keep a request from becoming dearer. With a single
// caller each commit of the ledger pays for one request, which is most of the cost at the start.
const STRETCHES: readonly Stretch[] = [
  { name: 'start', from: 1, to: 40, mostCpuOfRaw: 14 },
  { name: 'on the way', from: 41, to: 180 },
  { name: 'middle', from: 181, to: 220, mostCpuOfRaw: 14 },
  { name: 'on the way', from: 221, to: 360 },
  { name: 'end', from: 361, to: TURNS, mostCpuOfRaw: 16 },
]

/** An agent that works for a long time: each of its requests repeats the whole conversation. */
export const CONVERSATION: Scene = {
  name: 'conversation',
  play: () =>
    playConversation({
      title: `A conversation of ${TURNS} turns, one caller, each turn a tool call and its result longer: CPU µs of a request`,
      stretches: STRETCHES,
      warmUpPasses: 2,
      passes: 5,
    }),
}
