import { eventsThrough } from '../events-through.ts'
import { judgeCpu } from '../judge-cpu.ts'
import { chatBody } from '../messages.ts'
import { playRounds } from '../play-rounds.ts'
import { onStage, type StreamShape } from '../stage.ts'
import type { Scene } from './scene.ts'

interface Kind {
  readonly shape: StreamShape
  readonly requests: number
  readonly warmUp: number
  readonly hasPortkey: boolean
  readonly mostCpuOfRaw: number
}

// A write for each event costs both sides more than what is done with the event, and hides it: hence ten per write, too.
// Bounds are a third above what was measured when they were set: they keep a request from becoming dearer.
const LONG = { textEvents: 496 }
const KINDS: readonly Kind[] = [
  { shape: {}, requests: 1_500, warmUp: 10, hasPortkey: true, mostCpuOfRaw: 3.6 },
  { shape: { ...LONG, eventsPerWrite: 1 }, requests: 64, warmUp: 4, hasPortkey: false, mostCpuOfRaw: 2.5 },
  { shape: { ...LONG, eventsPerWrite: 10 }, requests: 200, warmUp: 4, hasPortkey: false, mostCpuOfRaw: 3.6 },
]

/** Streams of few events and of many. */
export const STREAMS: Scene = {
  name: 'streams',
  async play() {
    const verdicts: boolean[] = []
    for (const kind of KINDS) verdicts.push(await playKind(kind))
    return verdicts
  },
}

function playKind({ shape, requests, warmUp, hasPortkey, mostCpuOfRaw }: Kind): Promise<boolean> {
  return onStage(shape, async (stage) => {
    const { load, direct, raw, stint } = stage
    const subjects = [direct, raw, stint, ...(hasPortkey ? [await stage.startPortkey()] : [])]
    const body = chatBody(2_000, { stream: true })
    const events = await eventsThrough(subjects, body)
    const title = `Streams of ${events} events, ${shape.eventsPerWrite ?? 1} per write, 32 connections`
    const played = await playRounds(load, { title, sent: { body }, connections: 32, requests, warmUp }, subjects)
    return judgeCpu(played, stage, mostCpuOfRaw)
  })
}
