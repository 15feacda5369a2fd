import type { TestTools } from '../store-contract/test-tools.ts'
import type { AdapterPower, AdapterUnderTest } from './adapter-under-test.ts'
import { type Play, type Stage, stageFor } from './contract-stage.ts'

/** What a section of the contract is written with. */
export interface AdapterContract extends Pick<TestTools, 'describe' | 'it' | 'expect'> {
  readonly isStreaming: boolean
  /** Whether the adapter has the power `run-tools`. */
  readonly runsTools: boolean
  stage(play: Play): Promise<Stage>
  /** A point for adapters that have this power. For one that lacks it, the report has the reason instead. */
  itNeeds(power: AdapterPower, title: string, body: () => Promise<void>): void
  /**
   * How many model calls a run takes that is ended by `toolCalls: N` and calls so many tools in each answer, the closing
   * call included. An adapter that runs the tools is refused one; any other asks for no more where none is left.
   */
  modelCallsUnder(toolCalls: number, callsInEach?: number): number
}

/** The tools of a runner, with stages for one adapter. */
export function contractFor(adapter: AdapterUnderTest, isStreaming: boolean, tools: TestTools): AdapterContract {
  const { describe, it, expect } = tools
  const { lacks = {} } = adapter
  const runsTools = lacks['run-tools'] === undefined
  return {
    describe,
    it,
    expect,
    isStreaming,
    runsTools,
    stage: (play) => stageFor(adapter, isStreaming, play),
    itNeeds(power, title, body) {
      const reason = lacks[power]
      if (reason === undefined) it(title, body)
      else it(`does not apply, ${reason}: ${title}`, async () => expect(reason.trim() === '').toBe(false))
    },
    modelCallsUnder: (toolCalls, callsInEach = 1) =>
      runsTools ? Math.floor(toolCalls / callsInEach) + 2 : Math.ceil(toolCalls / callsInEach) + 1,
  }
}
