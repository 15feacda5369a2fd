import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createScriptedLanguageModel } from '../../../src/testing/ai-sdk/index.ts'
import { agentFrom, createStage } from './runner.fixture.ts'

const read = (path = 'a.txt') => ({ text: `Reading ${path}.`, toolCalls: [{ name: 'read', arguments: { path } }] })
const bash = (command: string) => ({ toolCalls: [{ name: 'bash', arguments: { command } }] })
// Longer than any test may take: if the run ends at all, the limit has ended it.
const slowModel = () => createScriptedLanguageModel([{ text: 'too late', delayMs: 3_600_000 }])
const busy = { error: { status: 529, message: 'Overloaded' } }

describe('a deadline of the call', () => {
  it('C1: ends a model call of an hour after 150 ms, and no fallback is tried', async () => {
    const second = createScriptedLanguageModel([{ text: 'from the fallback' }])
    const { runner, workingFolder } = createStage({ first: slowModel(), second })
    const agent = agentFrom({ fallbackModels: ['second'] })
    const result = await runner.run({ agent, task: 'go', workingFolder, timeoutMs: 150 })
    expect(result).toMatchObject({ status: 'timed-out', timedOut: true, error: 'Timed out after 150ms.', output: null })
    expect(result.breach).toMatchObject({ meter: 'wallTime', limit: 150 })
    expect(second.book).toHaveLength(0)
    expect(runner.tasks.get(result.id)).toMatchObject({
      status: 'failed',
      error: 'Execution limit exceeded: timeoutMs',
    })
    expect(JSON.parse(readFileSync(result.artifacts.meta, 'utf8'))).toMatchObject({
      timedOut: true,
      status: 'timed-out',
    })
  })

  it('C1, C6: ends a hung tool by the timer, though the agent’s own limits only warn', async () => {
    const first = createScriptedLanguageModel([bash('sleep 3600'), { text: 'done' }])
    const { runner, workingFolder } = createStage({ first })
    const agent = agentFrom({ preset: 'architect' })
    const result = await runner.run({ agent, task: 'go', workingFolder, timeoutMs: 400 })
    expect(result).toMatchObject({ status: 'timed-out', error: 'Timed out after 400ms.' })
  })

  it('C7: ends the wait between retries', async () => {
    const first = createScriptedLanguageModel([{ ...busy }, { text: 'late' }])
    const waiting = {
      ...first,
      async doStream(options: Parameters<typeof first.doStream>[0]) {
        try {
          return await first.doStream(options)
        } catch (error) {
          throw Object.assign(error as Error, { responseHeaders: { 'retry-after': '30' } })
        }
      },
    }
    const { runner, workingFolder } = createStage({ first: waiting })
    const result = await runner.run({ agent: agentFrom(), task: 'go', workingFolder, timeoutMs: 3_000 })
    expect(result).toMatchObject({ status: 'timed-out', error: 'Timed out after 3000ms.' })
    expect(first.book).toHaveLength(1)
  })

  it('C3: two names with different values are refused, and with the same value accepted', async () => {
    const first = createScriptedLanguageModel([{ text: 'done' }])
    const { runner, workingFolder } = createStage({ first })
    const request = { agent: agentFrom(), task: 'go', workingFolder }
    await expect(runner.run({ ...request, timeoutMs: 150, maxRuntimeMs: 200 })).rejects.toThrow(/aliases/)
    await expect(runner.run({ ...request, timeoutMs: 0 })).rejects.toMatchObject({ code: 'invalid_option' })
    expect(runner.tasks.list()).toEqual([])
    const result = await runner.run({ ...request, timeoutMs: 60_000, maxRuntimeMs: 60_000 })
    expect(result.status).toBe('completed')
    expect(result.usage.wallTime.limit).toBe(60_000)
  })
})

describe('limits in pi’s format', () => {
  it('C4: maxExecutionTimeMs ends it with its kind, limit and message', async () => {
    const { runner, workingFolder } = createStage({ first: slowModel() })
    const agent = agentFrom({}, { maxExecutionTimeMs: 150 }, 'pi')
    const result = await runner.run({ agent, task: 'go', workingFolder })
    const message = 'Resource limit exceeded for slow: maxExecutionTimeMs 150ms.'
    expect(result).toMatchObject({ status: 'limit-reached', timedOut: false, error: message })
    expect(result.resourceLimitExceeded).toMatchObject({ kind: 'maxExecutionTimeMs', limit: 150, message })
    expect(JSON.parse(readFileSync(result.artifacts.meta, 'utf8')).resourceLimitExceeded.message).toBe(message)
  })

  it('C4: maxTokens too, with the observed value', async () => {
    const turns = Array.from({ length: 30 }, () => ({ ...read(), usage: { inputTokens: 2_000, outputTokens: 200 } }))
    const first = createScriptedLanguageModel(turns)
    const { runner, workingFolder } = createStage({ first }, { 'a.txt': 'hello' })
    const agent = agentFrom({}, { maxTokens: 9_000 }, 'pi')
    const result = await runner.run({ agent, task: 'go', workingFolder })
    const message = 'Resource limit exceeded for slow: maxTokens 9000.'
    expect(result.resourceLimitExceeded).toMatchObject({ kind: 'maxTokens', limit: 9_000, message })
    expect(result.resourceLimitExceeded?.observed).toBeGreaterThan(0)
    expect(result.error).toBe(message)
  })

  it('other fields set no limit', async () => {
    const { runner, workingFolder } = createStage({ first: slowModel() })
    const result = await runner.run({ agent: agentFrom({}, { limits: { time: 200 } }), task: 'go', workingFolder })
    expect(result.status).toBe('limit-reached')
    expect(result.resourceLimitExceeded).toBeUndefined()
    expect(result.error).toContain('The time limit of "slow"')
  })
})

describe('a limit', () => {
  it('H4, H5, A6: stops the run with a closing answer, everything is on disk, and no fallback is tried', async () => {
    const first = createScriptedLanguageModel([read('a'), read('b'), read('c'), { text: 'Read two of three.' }])
    const second = createScriptedLanguageModel([{ text: 'from the fallback' }])
    const { runner, workingFolder } = createStage({ first, second })
    const agent = agentFrom({ fallbackModels: ['second'] }, { execution_limits: { max_turns: 2 } })
    const result = await runner.run({ agent, task: 'go', workingFolder })
    expect(result).toMatchObject({ status: 'limit-reached', partialOutput: 'Read two of three.', output: null })
    expect(result.breach).toMatchObject({ meter: 'toolCalls', limit: 2, settled: 2 })
    expect(second.book).toHaveLength(0)
    const meta = JSON.parse(readFileSync(result.artifacts.meta, 'utf8'))
    expect(meta).toMatchObject({
      status: 'limit-reached',
      breach: { meter: 'toolCalls' },
      attempts: [{ model: 'first' }],
    })
    expect(meta.usage.toolCalls.settled).toBe(2)
    expect(meta.durationMs).toBeGreaterThanOrEqual(0)
    expect(runner.tasks.get(result.id)?.error).toBe('Execution limit exceeded: max_turns')
    expect(readFileSync(result.artifacts.output!, 'utf8')).toBe('Read two of three.\n')
  })

  it('a model that fails is followed by the next one, in the same scope', async () => {
    const first = createScriptedLanguageModel([{ error: { status: 404, message: 'no such model' } }])
    const second = createScriptedLanguageModel([{ text: 'from the fallback' }])
    const { runner, workingFolder } = createStage({ first, second })
    const result = await runner.run({ agent: agentFrom({ fallbackModels: ['second'] }), task: 'go', workingFolder })
    expect(result).toMatchObject({ status: 'completed', output: 'from the fallback', model: 'second' })
    expect(result.attempts).toMatchObject([
      { model: 'first', status: 'failed' },
      { model: 'second', status: 'answered' },
    ])
  })

  it('a failure of the last model is the result, with its message', async () => {
    const first = createScriptedLanguageModel([{ error: { status: 401, message: 'no such key' } }])
    const { runner, workingFolder } = createStage({ first })
    const result = await runner.run({ agent: agentFrom(), task: 'go', workingFolder })
    expect(result).toMatchObject({ status: 'failed', error: expect.stringContaining('no such key') })
    expect(runner.tasks.get(result.id)).toMatchObject({ status: 'failed', runStatus: 'failed' })
  })

  it('of a preset on cost is dropped with a notice for a model without a price; one that a person wrote is refused', async () => {
    const first = createScriptedLanguageModel([{ text: 'done' }])
    const { runner, workingFolder } = createStage({ first })
    const result = await runner.run({ agent: agentFrom(), task: 'go', workingFolder })
    expect(result.status).toBe('completed')
    expect(result.warnings.join('\n')).toContain('scripted-model')
    const written = await runner.run({ agent: agentFrom({}, { limits: { cost: 1 } }), task: 'go', workingFolder })
    expect(written).toMatchObject({ status: 'failed', error: expect.stringContaining('scripted-model') })
    expect(first.book).toHaveLength(1)
  })

  it('D6: on execution cost applies to every call, and one on planning is reported to apply to none', async () => {
    const usage = { inputTokens: 1_000, outputTokens: 100 }
    const turns = Array.from({ length: 50 }, (_, turn) => ({ ...read(`${turn}.txt`), usage }))
    const first = createScriptedLanguageModel(turns, { modelId: 'claude-sonnet-4-5' })
    const { runner, workingFolder } = createStage({ first })
    const limits = { max_planning_cost_usd: 0.5, max_execution_cost_usd: 0.02, max_total_cost_usd: 1, max_turns: 100 }
    const agent = agentFrom({}, { execution_limits: limits })
    const result = await runner.run({ agent, task: 'go', workingFolder })
    expect(result).toMatchObject({ status: 'limit-reached', breach: { meter: 'executionCost' } })
    const { planningCost, executionCost, cost } = result.usage
    expect([planningCost.settled, executionCost.settled, executionCost.overrun]).toEqual([0, cost.settled, 0])
    expect(result.warnings.join('\n')).toContain('max_planning_cost_usd has no effect here')
  })

  it('on cost is kept for an unpriced model that an untrusted file names, even if it is a preset’s', async () => {
    const first = createScriptedLanguageModel([{ text: 'done' }, { text: 'done' }])
    const { runner, workingFolder } = createStage({ first })
    const untrustedModels = { first: 'model in .stint/agents/free.md:3' }
    const agent = agentFrom({ untrustedModels })
    const refused = await runner.run({ agent, task: 'go', workingFolder })
    expect(refused).toMatchObject({ status: 'failed', error: expect.stringContaining(untrustedModels.first) })
    expect(first.book).toHaveLength(0)
    const asked = await runner.run({ agent, task: 'go', workingFolder, model: 'first' })
    expect(asked.status).toBe('completed')
    const unlimited = [{ layer: 'call' as const, limits: { cost: null } }]
    expect(await runner.run({ agent, task: 'go', workingFolder, layers: unlimited })).toMatchObject({
      status: 'completed',
    })
  })

  it('on cost is kept for such a fallback, too', async () => {
    const first = createScriptedLanguageModel([{ error: { status: 404, message: 'no such model' } }], {
      modelId: 'claude-sonnet-4-5',
    })
    const second = createScriptedLanguageModel([{ text: 'from the fallback' }])
    const { runner, workingFolder } = createStage({ first, second })
    const untrustedModels = { second: 'fallbackModels in .stint/agents/free.md:4' }
    const agent = agentFrom({ fallbackModels: ['second'], untrustedModels })
    const result = await runner.run({ agent, task: 'go', workingFolder })
    expect(result).toMatchObject({ status: 'failed', error: expect.stringContaining(untrustedModels.second) })
    expect([first.book.length, second.book.length]).toEqual([1, 0])
  })

  it('of a nearer layer wins: preset < file < call', async () => {
    const first = createScriptedLanguageModel([{ text: 'done' }])
    const { runner, workingFolder } = createStage({ first })
    const agent = agentFrom({ preset: 'qa' }, { limits: { toolCalls: 12, time: '3m' } })
    const layers = [
      { layer: 'project' as const, limits: { toolCalls: 11, modelCalls: 9 } },
      { layer: 'call' as const, limits: { time: '4m' } },
      { layer: 'ceiling' as const, limits: { modelCalls: 7 } },
    ]
    const { usage } = await runner.run({ agent, task: 'go', workingFolder, layers })
    const { toolCalls, time, modelCalls, cost } = usage
    expect([toolCalls.limit, time.limit, modelCalls.limit, cost.limit]).toEqual([12, 240_000, 7, 500_000_000])
  })

  it('that only warns lets the run continue, and the warning names it', async () => {
    const first = createScriptedLanguageModel([read('a'), read('b'), read('c'), { text: 'All read.' }])
    const { runner, workingFolder } = createStage({ first })
    const agent = agentFrom({}, { execution_limits: { max_turns: 2, timeout_action: 'warn' } })
    const result = await runner.run({ agent, task: 'go', workingFolder })
    expect(result).toMatchObject({ status: 'completed', output: 'All read.' })
    expect(result.warnings.join('\n')).toContain('max_turns')
  })
})
