import type { CpuAnswer } from './answer-questions.ts'
import type { LoadResult, Sent } from './load.ts'
import type { Subject } from './stage.ts'
import type { Part } from './start-process.ts'

/** What a subject is asked to pass on in one turn. */
export interface TurnOrder {
  readonly sent: Sent
  readonly connections: number
  readonly requests: number
}

/** What came of a turn. */
export interface Turn extends LoadResult {
  /** CPU that the program in between used for a request, all of its threads together. */
  readonly cpuMicros: number
}

/** Sends a subject its share of the requests. Throws where one was not answered with 200. */
export async function takeTurn(load: Part, subject: Subject, order: TurnOrder): Promise<Turn> {
  const { port, path, headers, share, part } = subject
  const { sent, connections } = order
  const requests = Math.max(connections, Math.floor(order.requests * share))
  const before = await cpuOf(part)
  const result = await load.ask<LoadResult>({ port, path, headers, sent, connections, requests })
  const after = await cpuOf(part)
  if (result.failed > 0) throw new Error(`${subject.name}: ${result.failed} requests were not answered with 200`)
  return { ...result, cpuMicros: (after - before) / requests }
}

async function cpuOf(part: Part | null): Promise<number> {
  if (part === null) return 0
  const { cpuMicros } = await part.ask<CpuAnswer>({ question: 'cpu' })
  return cpuMicros
}
