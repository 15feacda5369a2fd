import { judgeCpu } from '../judge-cpu.ts'
import { chatBody } from '../messages.ts'
import { playRounds } from '../play-rounds.ts'
import { onStage } from '../stage.ts'
import type { Scene } from './scene.ts'

// A third above what was measured when it was set: it keeps a request from becoming dearer.
const MOST_CPU_OF_RAW = 4

/** Requests as long as those of agents: a prompt and the descriptions of many tools. */
export const LONG_BODIES: Scene = {
  name: 'long-bodies',
  play: () =>
    onStage({}, async (stage) => {
      const { load, direct, raw, stint } = stage
      const body = chatBody(84_000, { tools: 12 })
      const title = `${(body.length / 1_000).toFixed(0)} kB bodies with 12 tools, 32 connections`
      const rounds = { title, sent: { body }, connections: 32, requests: 1_500 }
      const played = await playRounds(load, rounds, [direct, raw, stint])
      return [judgeCpu(played, stage, MOST_CPU_OF_RAW)]
    }),
}
