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
// Reading the JSON of a body is one piece, and of 250,000 values it takes longer than of one long text.
const MOST_LATER_MS: Readonly<Record<LargeKind, number>> = { prose: 50, 'look-alikes': 50, 'small-messages': 150 }

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
        const { alone, beside } = await playKind(stage, neighbour, large, kind)
        rows.push([kind, alone.toFixed(1), beside.toFixed(1)])
        const sentence = (text: string) => `a small call comes ${text} later beside 6 MB of ${kind}`
        verdicts.push(judge({ sentence, value: beside - alone, unit: ' ms', atMost: MOST_LATER_MS[kind] }))
      }
      printTable(
        `Small calls beside another key's request of 6 MB: the slowest of each of ${ROUNDS} rounds, median`,
        ['', 'alone ms', 'beside ms'],
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
): Promise<{ readonly alone: number; readonly beside: number }> {
  const alone: number[] = []
  const beside: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const sent = { large: kind, bytes: BYTES, number: round }
    const answered = neighbour.ask<LoadResult>({ ...large, part: null, sent, connections: 1, requests: 1 })
    const slow = await slowestUntil(load, stint, answered)
    const { failed } = await answered
    if (failed > 0) throw new Error(`The request of 6 MB (${kind}) was not answered with 200.`)
    const quick = await slowestOf(load, stint, slow.calls)
    if (round === 0) continue
    beside.push(slow.ms)
    alone.push(quick)
  }
  return { alone: percentile(alone, 50), beside: percentile(beside, 50) }
}

async function slowestUntil(
  load: Part,
  subject: Subject,
  until: Promise<unknown>,
): Promise<{ ms: number; calls: number }> {
  let isOver = false
  const over = (): void => {
    isOver = true
  }
  void until.then(over, over)
  let ms = 0
  let calls = 0
  while (!isOver) {
    ms = Math.max(ms, await smallCall(load, subject))
    calls++
  }
  return { ms, calls }
}

async function slowestOf(load: Part, subject: Subject, calls: number): Promise<number> {
  let ms = 0
  for (let call = 0; call < calls; call++) ms = Math.max(ms, await smallCall(load, subject))
  return ms
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
