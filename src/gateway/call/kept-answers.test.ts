import { describe, expect, it } from 'vitest'
import { estimatePrompt } from '../../loop/prompt/prompt-estimate.ts'
import { createTokenMarks } from '../../loop/prompt/token-marks.ts'
import type { WireRequest } from '../dialects/dialect.ts'
import { DIALECTS } from '../dialects/dialects.ts'

const TASK = { role: 'user', content: 'Count the lines of every file in this folder, and say which is the longest.' }
const SAID = 'I look into the folder first, and then at each of the files in it. '.repeat(20)
const PROMPT_TOKENS = 1_000
const ANSWER_TOKENS = 310

const answerOf = (text: string) => ({
  role: 'assistant',
  content: [
    { type: 'text', text },
    { type: 'tool_use', id: 'call_1', name: 'list', input: { path: '.' } },
  ],
})

function requestWith(...messages: readonly unknown[]): WireRequest {
  const body = { model: 'claude-sonnet-4-5', max_tokens: 1_000, messages: [TASK, ...messages] }
  return DIALECTS['anthropic-messages'].readRequest(Buffer.from(JSON.stringify(body)))
}

/** The size of the prompt with this as the answer to the first one, of which `answerText` was kept. */
async function withAnswer(sent: string, answerText?: string): Promise<number> {
  const marks = createTokenMarks()
  const { digest, parts, estimatedTokens } = await estimatePrompt(requestWith(), marks, { isLimited: true })
  const kept = answerText === undefined ? {} : { answerText }
  marks.remember(digest, {
    parts,
    promptTokens: PROMPT_TOKENS,
    answerTokens: ANSWER_TOKENS,
    estimatedTokens,
    ...kept,
  })
  const { inputTokens, countedTokens } = await estimatePrompt(requestWith(answerOf(sent)), marks, { isLimited: true })
  expect(countedTokens).toBe(PROMPT_TOKENS)
  return inputTokens - PROMPT_TOKENS
}

describe('an answer that is repeated in the next prompt', () => {
  it('has its counted size if it repeats the model word for word, with its tool call estimated in addition', async () => {
    const tokens = await withAnswer(SAID, SAID)
    expect(tokens).toBeGreaterThan(ANSWER_TOKENS)
    expect(tokens).toBeLessThan(ANSWER_TOKENS + 40)
  })

  it('is estimated if it differs, or if the model’s text was not kept', async () => {
    const estimated = await withAnswer(SAID)
    expect(estimated).toBeGreaterThan(ANSWER_TOKENS + 100)
    expect(await withAnswer(SAID.replace('first', 'third'), SAID)).toBe(estimated)
    expect(await withAnswer(SAID, '')).toBe(estimated)
  })

  it('has only the client’s additions estimated', async () => {
    const added = 'And what I never said, too. '.repeat(30)
    expect(await withAnswer(SAID + added, SAID)).toBeGreaterThan((await withAnswer(SAID, SAID)) + 200)
  })
})
