import { judge } from '../../judge.ts'
import { chatBody } from '../messages.ts'
import { playRounds } from '../play-rounds.ts'
import { onStage } from '../stage.ts'
import type { Scene } from './scene.ts'

const LEAST_OF_RAW = 0.6
const LEAST_OF_PORTKEY = 6

/** Short requests and answers, from few callers and from many. */
export const SHORT_BODIES: Scene = {
  name: 'short-bodies',
  play: () =>
    onStage({}, async (stage) => {
      const { load, direct, raw, stint } = stage
      const portkey = await stage.startPortkey()
      const verdicts: boolean[] = []
      for (const connections of [32, 256]) {
        const title = `2 kB bodies, ${connections} connections`
        const rounds = { title, sent: { body: chatBody(2_000) }, connections, requests: 4_000 }
        const { figure, ratio } = await playRounds(load, rounds, [direct, raw, stint, portkey])
        const added = (of: 'p50Ms' | 'p99Ms'): string => (figure(stint, of) - figure(raw, of)).toFixed(2)
        console.log(`added to p50 ${added('p50Ms')} ms, to p99 ${added('p99Ms')} ms, beside the raw proxy`)
        const cpu = [raw, portkey].map((other) => `${ratio('cpuMicros', stint, other).toFixed(2)}×`)
        console.log(
          `a request takes ${cpu[0]} the CPU of the raw proxy, ${cpu[1]} that of Portkey (printed, not judged)`,
        )
        const ofRaw = (text: string) => `${text} the requests per second of the raw proxy`
        const ofPortkey = (text: string) => `${text} the requests per second of Portkey`
        verdicts.push(
          judge({ sentence: ofRaw, value: ratio('perSecond', stint, raw), atLeast: LEAST_OF_RAW }),
          judge({ sentence: ofPortkey, value: ratio('perSecond', stint, portkey), atLeast: LEAST_OF_PORTKEY }),
        )
      }
      return verdicts
    }),
}
