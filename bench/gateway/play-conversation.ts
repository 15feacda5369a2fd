import { medianRatio } from '../cpu-rounds.ts'
import { judge } from '../judge.ts'
import { percentile } from '../percentiles.ts'
import { printTable } from '../table.ts'
import { createConversation } from './conversation.ts'
import { onStage, runOn, type Stage, type Subject } from './stage.ts'
import { takeTurn } from './take-turn.ts'

// The raw proxy keeps nothing of a conversation and takes little CPU: more of its requests make a steadier figure.
const RAW_REPEATS = 3

/** Turns of a conversation that are measured together. */
export interface Stretch {
  readonly name: string
  readonly from: number
  readonly to: number
  /** Absent: played on the way, and neither printed nor judged. */
  readonly mostCpuOfRaw?: number
}

/** A conversation that is played from its first turn to its last, again and again. */
export interface PlayedConversation {
  readonly title: string
  readonly stretches: readonly Stretch[]
  /** Default: 1 kB. */
  readonly resultBytes?: number
  readonly warmUpPasses: number
  readonly passes: number
}

/** CPU for a request in each stretch, of each pass. */
type Cpu = readonly number[][]

/** Plays a conversation and judges the CPU of a request in each of its stretches beside the raw proxy's. */
export function playConversation(played: PlayedConversation): Promise<readonly boolean[]> {
  const { stretches, warmUpPasses, passes } = played
  const emptyCpu = (): Cpu => stretches.map(() => [])
  return onStage({}, async (stage) => {
    for (let pass = 0; pass < warmUpPasses; pass++) await playPass(stage, played, pass, emptyCpu(), emptyCpu())
    const [raw, stint] = [emptyCpu(), emptyCpu()]
    for (let pass = 0; pass < passes; pass++) await playPass(stage, played, warmUpPasses + pass, raw, stint)
    print(stage, played, raw, stint)
    return stretches.flatMap(({ name, mostCpuOfRaw }, index) => {
      if (mostCpuOfRaw === undefined) return []
      const sentence = (figure: string) => `${name}: a request takes ${figure} the CPU of the raw proxy`
      return [judge({ sentence, value: medianRatio(stint[index]!, raw[index]!), atMost: mostCpuOfRaw })]
    })
  })
}

/** One conversation from its first turn to its last, by a run of its own. The two take turns, stretch by stretch. */
async function playPass(
  stage: Stage,
  { stretches, resultBytes }: PlayedConversation,
  pass: number,
  raw: Cpu,
  stint: Cpu,
): Promise<void> {
  const run = runOn(stage.stint.part, `bench-${pass}`)
  for (const [index, { from, to, mostCpuOfRaw }] of stretches.entries()) {
    const cpuOf = async (subject: Subject): Promise<number> => {
      const sent = { conversation: pass, fromTurn: from, ...(resultBytes === undefined ? {} : { resultBytes }) }
      const { cpuMicros } = await takeTurn(stage.load, subject, { sent, connections: 1, requests: to - from + 1 })
      return cpuMicros
    }
    let rawCpu = 0
    // What is not judged only keeps the raw proxy's code warm.
    const repeats = mostCpuOfRaw === undefined ? 1 : RAW_REPEATS
    for (let repeat = 0; repeat < repeats; repeat++) rawCpu += await cpuOf(stage.raw)
    raw[index]!.push(rawCpu / repeats)
    stint[index]!.push(await cpuOf(run))
  }
}

function print(
  { raw, stint }: Stage,
  { title, stretches, resultBytes }: PlayedConversation,
  rawCpu: Cpu,
  stintCpu: Cpu,
): void {
  const conversation = createConversation(1, resultBytes)
  const judged = stretches
    .map((stretch, index) => ({ ...stretch, index }))
    .filter(({ mostCpuOfRaw }) => mostCpuOfRaw !== undefined)
  const headings = judged.map(({ name, from, to }) => {
    return `${name}, ${(conversation.bodyOf(Math.round((from + to) / 2)).length / 1_000).toFixed(0)} kB`
  })
  const cells = (cpu: Cpu) => judged.map(({ index }) => percentile(cpu[index]!, 50).toFixed(0))
  printTable(
    title,
    ['', ...headings],
    [
      [raw.name, ...cells(rawCpu)],
      [stint.name, ...cells(stintCpu)],
    ],
  )
}
