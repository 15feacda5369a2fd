import type { TestTools } from '../store-contract/test-tools.ts'
import type { AdapterUnderTest } from './adapter-under-test.ts'
import { type Play, type Stage, stageFor } from './contract-stage.ts'

/** What a section of the contract is written with. */
export interface AdapterContract extends Pick<TestTools, 'describe' | 'it' | 'expect'> {
  stage(play: Play): Promise<Stage>
}

/** The tools of a runner, with stages for one adapter. */
export function contractFor(adapter: AdapterUnderTest, isStreaming: boolean, tools: TestTools): AdapterContract {
  const { describe, it, expect } = tools
  return { describe, it, expect, stage: (play) => stageFor(adapter, isStreaming, play) }
}
