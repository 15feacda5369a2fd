import { medianRatio } from '../../cpu-rounds.ts'
import { judge } from '../../judge.ts'
import { percentile } from '../../percentiles.ts'
import { printTable } from '../../table.ts'
import { createConversation } from '../conversation.ts'
import { onStage, runOn, type Stage, type Subject } from '../stage.ts'
import { takeTurn } from '../take-turn.ts'
import type { Scene } from './scene.ts'

const TURNS = 400
const WARM_UP_PASSES = 2
const PASSES = 5
// The raw proxy keeps nothing of a conversation and takes little CPU: more of its requests make a steadier figure.
const RAW_REPEATS = 3

interface Stretch {
  readonly name: string
  readonly from: number
  readonly to: number
  /** Absent: played on the way, and neither printed nor judged. */
  readonly mostCpuOfRaw?: number
}

// Bounds are a third above what was measured when they were set: they keep a request from becoming dearer. With a single
// caller each commit of the ledger pays for one request, which is most of the cost at the start.
const STRETCHES: readonly Stretch[] = [
  { name: 'start', from: 1, to: 40, mostCpuOfRaw: 14 },
  { name: 'on the way', from: 41, to: 180 },
  { name: 'middle', from: 181, to: 220, mostCpuOfRaw: 14 },
  { name: 'on the way', from: 221, to: 360 },
  { name: 'end', from: 361, to: TURNS, mostCpuOfRaw: 16 },
]

/** CPU for a request in each stretch, of each pass. */
type Cpu = readonly number[][]

/** An agent that works for a long time: each of its requests repeats the whole conversation. */
export const CONVERSATION: Scene = {
  name: 'conversation',
  play: () =>
    onStage({}, async (stage) => {
      for (let pass = 0; pass < WARM_UP_PASSES; pass++) await playPass(stage, pass, emptyCpu(), emptyCpu())
      const [raw, stint] = [emptyCpu(), emptyCpu()]
      for (let pass = 0; pass < PASSES; pass++) await playPass(stage, WARM_UP_PASSES + pass, raw, stint)
      print(stage, raw, stint)
      return STRETCHES.flatMap(({ name, mostCpuOfRaw }, index) => {
        if (mostCpuOfRaw === undefined) return []
        const sentence = (figure: string) => `${name}: a request takes ${figure} the CPU of the raw proxy`
        return [judge({ sentence, value: medianRatio(stint[index]!, raw[index]!), atMost: mostCpuOfRaw })]
      })
    }),
}

function emptyCpu(): Cpu {
  return STRETCHES.map(() => [])
}

/** One conversation from its first turn to its last, by a run of its own. The two take turns, stretch by stretch. */
async function playPass(stage: Stage, pass: number, raw: Cpu, stint: Cpu): Promise<void> {
  const run = runOn(stage.stint.part, `bench-${pass}`)
  for (const [index, { from, to }] of STRETCHES.entries()) {
    const cpuOf = async (subject: Subject): Promise<number> => {
      const sent = { conversation: pass, fromTurn: from }
      const { cpuMicros } = await takeTurn(stage.load, subject, { sent, connections: 1, requests: to - from + 1 })
      return cpuMicros
    }
    let rawCpu = 0
    for (let repeat = 0; repeat < RAW_REPEATS; repeat++) rawCpu += await cpuOf(stage.raw)
    raw[index]!.push(rawCpu / RAW_REPEATS)
    stint[index]!.push(await cpuOf(run))
  }
}

function print({ raw, stint }: Stage, rawCpu: Cpu, stintCpu: Cpu): void {
  const conversation = createConversation(1)
  const judged = STRETCHES.map((stretch, index) => ({ ...stretch, index })).filter(
    ({ mostCpuOfRaw }) => mostCpuOfRaw !== undefined,
  )
  const headings = judged.map(({ name, from, to }) => {
    return `${name}, ${(conversation.bodyOf(Math.round((from + to) / 2)).length / 1_000).toFixed(0)} kB`
  })
  const cells = (cpu: Cpu) => judged.map(({ index }) => percentile(cpu[index]!, 50).toFixed(0))
  printTable(
    `A conversation of ${TURNS} turns, one caller, each turn a tool call and its result longer: CPU µs of a request`,
    ['', ...headings],
    [
      [raw.name, ...cells(rawCpu)],
      [stint.name, ...cells(stintCpu)],
    ],
  )
}
