import type { TestTools } from '../store-contract/test-tools.ts'
import type { AdapterPower, AdapterUnderTest } from './adapter-under-test.ts'
import { type Play, type Stage, stageFor } from './contract-stage.ts'

/** The tools for writing a section of the contract. */
export interface AdapterContract extends Pick<TestTools, 'describe' | 'it' | 'expect'> {
  readonly isStreaming: boolean
  /** Whether the adapter can `run-tools`. */
  readonly runsTools: boolean
  stage(play: Play): Promise<Stage>
  /** A test for adapters that can do this. For others, the report has the reason instead. */
  itNeeds(power: AdapterPower, title: string, body: () => Promise<void>): void
  /**
   * The number of model calls, including the closing call, of a run that `toolCalls: N` ends, with this many tool calls
   * per answer. An adapter that runs the tools gets one refusal; others stop asking when none is left.
   */
  modelCallsUnder(toolCalls: number, callsInEach?: number): number
}

/** The tools of a test runner, with setups for one adapter. */
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
