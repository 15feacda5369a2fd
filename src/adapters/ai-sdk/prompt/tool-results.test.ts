import { describe, expect, it } from 'vitest'
import type { Scope } from '../../../governor/index.ts'
import { hintsFor } from '../../../loop/hints/result-hints.ts'
import { loopOf } from '../agent-loop.ts'
import type { Prompt, ToolMessage } from '../model/language-model.ts'
import { openScope } from '../model/model.fixture.ts'
import { modelRequest } from '../model/model-request.ts'
import { editResults } from './tool-results.ts'

const result = (toolCallId: string): ToolMessage => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId, toolName: 'read', output: { type: 'text', value: 'text' } }],
})
const outputsOf = (prompt: Prompt) =>
  prompt.flatMap(({ content }) => (content as ToolMessage['content']).map((part) => 'output' in part && part.output))

async function hinted(scope: Scope, prompt: Prompt): Promise<Prompt> {
  const request = modelRequest({ provider: 'test', modelId: 'test-model' }, { prompt })
  const state = loopOf(scope)
  await hintsFor(state, request)
  return editResults(prompt, { hints: state.hints })
}

describe('hints', () => {
  it('are added per result, even if a model gives the calls of every turn the same id', async () => {
    const { scope } = await openScope({ limits: { toolCalls: 3 } })
    const prompt: ToolMessage[] = []
    let seen: Prompt = []
    for (let turn = 0; turn < 3; turn++) {
      await scope.callTool({ name: 'read' }, () => 1)
      prompt.push(result('call_0'))
      seen = await hinted(scope, prompt)
    }
    expect(outputsOf(seen)).toMatchObject([
      { value: 'text\n\n[budget: 2 of 3 tool calls left — wrap up soon]' },
      { value: 'text\n\n[budget: 1 of 3 tool calls left — finalize now]' },
      { value: 'text\n\n[budget: 0 of 3 tool calls left — finalize NOW; the next tool call will be refused]' },
    ])
    expect(await hinted(scope, prompt)).toEqual(seen)
  })
})
