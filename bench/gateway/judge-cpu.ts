import { judge } from '../judge.ts'
import type { Played } from './play-rounds.ts'
import type { Stage } from './stage.ts'

/** Judges the CPU that Stint's gateway takes for a request beside the raw proxy's. */
export function judgeCpu({ ratio }: Played, { stint, raw }: Stage, atMost: number): boolean {
  const sentence = (figure: string) => `a request takes ${figure} the CPU of the raw proxy`
  return judge({ sentence, value: ratio('cpuMicros', stint, raw), atMost })
}
