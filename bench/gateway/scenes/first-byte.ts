import { judge } from '../../judge.ts'
import { eventsThrough } from '../events-through.ts'
import { chatBody } from '../messages.ts'
import { playRounds } from '../play-rounds.ts'
import { onStage } from '../stage.ts'
import type { Scene } from './scene.ts'

const MOST_LATER_MS = 1

/** How long a single caller waits for the first byte of a stream. */
export const FIRST_BYTE: Scene = {
  name: 'first-byte',
  play: () =>
    onStage({}, async (stage) => {
      const { load, direct, raw, stint } = stage
      const subjects = [direct, raw, stint, await stage.startPortkey()]
      const body = chatBody(2_000, { stream: true })
      const title = `Streams of ${await eventsThrough(subjects, body)} events, one at a time: the first byte`
      const rounds = { title, sent: { body }, connections: 1, requests: 200 }
      const { figure } = await playRounds(load, rounds, subjects)
      const value = figure(stint, 'firstByteMs') - figure(raw, 'firstByteMs')
      const sentence = (text: string) => `the first byte comes ${text} after the raw proxy's`
      return [judge({ sentence, value, unit: ' ms', atMost: MOST_LATER_MS })]
    }),
}
