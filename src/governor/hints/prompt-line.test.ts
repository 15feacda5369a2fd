import { describe, expect, it } from 'vitest'
import { limitFixture as limit } from '../../core/limits/limit.fixture.ts'
import { PRESETS, presetLayer, resolveLimits } from '../../policy/index.ts'
import { fillPromptLine, promptLine } from './index.ts'
import { usd } from './standing.fixture.ts'

const PACE = 'Pace yourself; if you cannot finish, stop early and return what you have and what is missing.'

describe('promptLine', () => {
  it('F1: states the number of tool calls, and the singular for 1', () => {
    expect(promptLine([limit('toolCalls', 20)])).toBe(`Tool budget: you have 20 tool calls for this task. ${PACE}`)
    expect(promptLine([limit('toolCalls', 1)])).toBe(`Tool budget: you have 1 tool call for this task. ${PACE}`)
    expect(promptLine([limit('toolCalls', 0)])).toContain('you have 0 tool calls for this task')
  })

  it.each(PRESETS.map(({ name }) => name))(
    'F1: states the resolved number of the preset %s, also when overridden',
    (name) => {
      const preset = resolveLimits([presetLayer(name)])
      expect(promptLine(preset.limits)).toContain(` ${preset.max.toolCalls} tool calls for this task.`)
      const overridden = resolveLimits([presetLayer(name), { layer: 'call', limits: { toolCalls: 7 } }])
      expect(promptLine(overridden.limits)).toContain(' 7 tool calls for this task.')
      expect(promptLine(overridden.limits)).not.toContain(` ${preset.max.toolCalls} tool calls`)
    },
  )

  it('lists every meter that an agent can pace itself by, in the fixed order', () => {
    const limits = [
      limit('wallTime', 900_000),
      limit('time', 600_000),
      limit('depth', 0),
      limit('spawns', 3),
      limit('executionCost', usd(0.3)),
      limit('planningCost', usd(0.5)),
      limit('cost', usd(1)),
      limit('uncachedTokens', 50_000),
      limit('outputTokens', 1),
      limit('tokens', 200_000),
      limit('modelCalls', 10),
      limit('toolCalls', 25),
    ]
    expect(promptLine(limits)).toBe(
      [
        'Tool budget: you have 25 tool calls for this task.',
        'Model budget: you have 10 model calls for this task.',
        'Token budget: you have 200000 tokens for this task.',
        'Token budget: you have 1 output token for this task.',
        'Token budget: you have 50000 uncached tokens for this task.',
        'Cost budget: you have $1.00 for this task.',
        'Cost budget: you have $0.50 of planning cost for this task.',
        'Cost budget: you have $0.30 of execution cost for this task.',
        'Subagent budget: you may start 3 subagents for this task.',
        'Subagent budget: you may not start subagents.',
        'Time budget: you have 10m of active time for this task.',
        'Time budget: you have 15m of wall time for this task.',
        PACE,
      ].join(' '),
    )
  })

  it('is empty without a limit that an agent can pace itself by', () => {
    expect(promptLine([])).toBe('')
    expect(
      promptLine([limit('concurrency', 2), limit('idleTime', 5000), limit('messages', 9), limit('depth', 2)]),
    ).toBe('')
  })

  it('names periods', () => {
    expect(promptLine([limit('cost', usd(10), { per: 'day' }), limit('cost', usd(100), { per: 'month' })])).toBe(
      `Cost budget: you have $10.00 per day. Cost budget: you have $100.00 per month. ${PACE}`,
    )
  })

  it('A7: says "plan for" under warn', () => {
    expect(promptLine([limit('toolCalls', 50, { action: 'warn' })])).toBe(
      'Tool budget: plan for 50 tool calls for this task. Pace yourself; if you go past the plan, finish soon and say so.',
    )
    expect(promptLine([limit('spawns', 1, { action: 'warn' })])).toContain('plan for 1 subagent for this task')
  })

  it('says that the run is paused at the limit under pause and ask', () => {
    expect(promptLine([limit('toolCalls', 20, { action: 'pause' })])).toContain(
      'you have 20 tool calls for this task; at the limit the run is paused. ',
    )
    expect(promptLine([limit('toolCalls', 20, { action: 'ask' })])).toContain(
      'you have 20 tool calls for this task; at the limit the run is paused until more is approved. ',
    )
  })

  it('names the smaller of two limits on one meter, and both a plan and its ceiling', () => {
    const source = { layer: 'ceiling', written: 'toolCalls' } as const
    expect(promptLine([limit('toolCalls', 50), limit('toolCalls', 30, { source })])).not.toContain('50')
    const line = promptLine([limit('toolCalls', 50, { action: 'warn' }), limit('toolCalls', 80, { source })])
    expect(line).toContain('plan for 50 tool calls')
    expect(line).toContain('you have 80 tool calls')
  })
})

describe('fillPromptLine', () => {
  const line = 'Cost budget: you have $1.00 for this task.'

  it('F1: fills the placeholder of a custom prompt, and changes nothing else', () => {
    expect(fillPromptLine('Be brief.\n{budget}\nUse {tools}. ', line)).toBe(`Be brief.\n${line}\nUse {tools}. `)
    expect(fillPromptLine('Be brief. {budget}', '')).toBe('Be brief. ')
    expect(fillPromptLine('{budget} and {budget}', 'a $& line')).toBe('a $& line and a $& line')
  })

  it('F1: becomes the last paragraph of a prompt without a placeholder', () => {
    expect(fillPromptLine('Be brief.\n', line)).toBe(`Be brief.\n\n${line}`)
    expect(fillPromptLine('', line)).toBe(line)
    expect(fillPromptLine('Be brief.\n', '')).toBe('Be brief.\n')
  })
})
