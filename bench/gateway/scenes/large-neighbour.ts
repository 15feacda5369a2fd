import { judge } from '../../judge.ts'
import { percentile } from '../../percentiles.ts'
import { printTable } from '../../table.ts'
import { LARGE_KINDS, type LargeKind } from '../large-body.ts'
import type { LoadResult } from '../load.ts'
import { chatBody } from '../messages.ts'
import { onStage, runOn, type Stage, type Subject } from '../stage.ts'
import type { Part } from '../start-process.ts'
import type { Scene } from './scene.ts'

const BYTES = 6_000_000
const ROUNDS = 20
const MOST_LATER_MS = 50

/** How long a small call waits while another key's request of 6 MB is looked through. */
export const LARGE_NEIGHBOUR: Scene = {
  name: 'large-neighbour',
  play: () =>
    onStage({}, async (stage) => {
      const neighbour = await stage.startLoad()
      const large = runOn(stage.stint.part, 'bench-large')
      const rows: string[][] = []
      const verdicts: boolean[] = []
      for (const kind of LARGE_KINDS) {
        const { alone, beside, slowest } = await playKind(stage, neighbour, large, kind)
        rows.push([kind, alone.toFixed(1), beside.toFixed(1), slowest.toFixed(1)])
        const sentence = (text: string) => `a small call comes ${text} later beside 6 MB of ${kind}`
        verdicts.push(judge({ sentence, value: beside - alone, unit: ' ms', atMost: MOST_LATER_MS }))
      }
      printTable(
        `Small calls beside another key's request of 6 MB: the median of each of ${ROUNDS} rounds, and the slowest`,
        ['', 'alone ms', 'beside ms', 'slowest beside ms'],
        rows,
      )
      return verdicts
    }),
}

/** Round by round the same calls without the neighbour and with it. The first round is for code that is still new. */
async function playKind(
  { load, stint }: Stage,
  neighbour: Part,
  large: Subject,
  kind: LargeKind,
): Promise<{ readonly alone: number; readonly beside: number; readonly slowest: number }> {
  const alone: number[] = []
  const beside: number[] = []
  const slowest: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const sent = { large: kind, bytes: BYTES, number: round }
    const answered = neighbour.ask<LoadResult>({ ...large, part: null, sent, connections: 1, requests: 1 })
    const during = await callsUntil(load, stint, answered)
    const { failed } = await answered
    if (failed > 0) throw new Error(`The request of 6 MB (${kind}) was not answered with 200.`)
    const after = await callsOf(load, stint, during.length)
    if (round === 0) continue
    beside.push(percentile(during, 50))
    slowest.push(Math.max(...during))
    alone.push(percentile(after, 50))
  }
  return { alone: percentile(alone, 50), beside: percentile(beside, 50), slowest: percentile(slowest, 50) }
}

async function callsUntil(load: Part, subject: Subject, until: Promise<unknown>): Promise<readonly number[]> {
  let isOver = false
  const over = (): void => {
    isOver = true
  }
  void until.then(over, over)
  const times: number[] = []
  while (!isOver) times.push(await smallCall(load, subject))
  return times
}

async function callsOf(load: Part, subject: Subject, calls: number): Promise<readonly number[]> {
  const times: number[] = []
  for (let call = 0; call < calls; call++) times.push(await smallCall(load, subject))
  return times
}

async function smallCall(load: Part, subject: Subject): Promise<number> {
  const { p50Ms, failed } = await load.ask<LoadResult>({
    ...subject,
    part: null,
    sent: { body: chatBody(2_000) },
    connections: 1,
    requests: 1,
  })
  if (failed > 0) throw new Error('A small call was not answered with 200.')
  return p50Ms
}
