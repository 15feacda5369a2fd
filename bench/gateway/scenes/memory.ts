import { judge } from '../../judge.ts'
import type { MemoryAnswer } from '../answer-questions.ts'
import { chatBody } from '../messages.ts'
import { onStage } from '../stage.ts'
import { takeTurn } from '../take-turn.ts'
import type { Scene } from './scene.ts'

const MOST_GROWTH = 1.25
const REQUESTS = 20_000
const ROUNDS = 6
// Code that is still new holds memory that it lets go of later: what is compared must not begin with it.
const WARM_UP_REQUESTS = 40_000

/** Whether memory stays where it is, however many requests have passed. */
export const MEMORY: Scene = {
  name: 'memory',
  play: () =>
    onStage({}, async ({ load, stint }) => {
      const order = { sent: { body: chatBody(2_000) }, connections: 32, requests: REQUESTS }
      const sizes: number[] = []
      await takeTurn(load, stint, { ...order, requests: WARM_UP_REQUESTS })
      console.log('\nMemory of the gateway, 2 kB bodies, 32 connections')
      for (let round = 1; round <= ROUNDS; round++) {
        await takeTurn(load, stint, order)
        const { heapBytes, residentBytes } = await stint.part.ask<MemoryAnswer>({ question: 'memory' })
        sizes.push(heapBytes)
        const [heap, resident] = [heapBytes, residentBytes].map((bytes) => (bytes / 1e6).toFixed(0))
        console.log(`after ${round * REQUESTS} more requests: ${heap} MB of heap, ${resident} MB resident`)
      }
      const sentence = (figure: string) =>
        `the heap after ${ROUNDS * REQUESTS} more requests is ${figure} that after ${REQUESTS}`
      return [judge({ sentence, value: sizes.at(-1)! / sizes[0]!, atMost: MOST_GROWTH })]
    }),
}
