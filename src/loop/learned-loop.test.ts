import { expect, it } from 'vitest'
import { createGovernor } from '../governor/index.ts'
import { learnedFrom, restoreLearned } from './learned-loop.ts'
import { createLoopState } from './loop-state.ts'

it('what a loop has learned survives as JSON, without a word of an answer', async () => {
  const governor = createGovernor()
  const scope = await governor.open({ name: 'talk' })
  const state = createLoopState(scope)
  state.promptLine = 'Tool budget: 20 calls.'
  state.hints.set('call-1', '18 of 20 left')
  state.hints.set('call-2', null)
  state.marks.remember('digest', { parts: 3, promptTokens: 90, answerTokens: 7, answerText: 'The secret answer.' })
  state.marks.rememberAnswer('answer-1', 97)
  state.sizes.set('model', [1.5] as never)
  const listed = { uses: [2, null, undefined], contentTokens: [undefined, 50], resultTokens: 9 }
  state.listedTools.set('talk', { listed, before: { ...listed, uses: [5] } })
  state.refusesAllowedTools = true

  const text = JSON.stringify(learnedFrom(state))
  expect(text).not.toContain('secret')
  const continued = createLoopState(scope)
  restoreLearned(continued, JSON.parse(text))
  expect(JSON.stringify(learnedFrom(continued))).toBe(text)
  expect(continued.hints.get('call-2')).toBeNull()
  expect(continued.marks.answer('answer-1')).toBe(97)
  expect(continued.listedTools.get('talk')?.listed).toEqual(listed)
  await governor.close()
})

it('keeps the latest hints only, each once', async () => {
  const governor = createGovernor()
  const state = createLoopState(await governor.open({ name: 'talk' }))
  for (let call = 0; call < 2_500; call++) state.hints.set(`call-${call % 2_400}`, `hint ${call}`)
  const { hints } = learnedFrom(state)
  expect(hints).toHaveLength(2_000)
  expect(new Map(hints).get('call-2399')).toBe('hint 2399')
  await governor.close()
})
