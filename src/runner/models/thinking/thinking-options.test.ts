import { describe, expect, it } from 'vitest'
import type { ThinkingLevel } from '../../../agents/agent.ts'
import { thinkingOptions } from './thinking-options.ts'

const adaptive = (effort: string) => ({ anthropic: { thinking: { type: 'adaptive' }, effort } })
const budget = (budgetTokens: number) => ({ anthropic: { thinking: { type: 'enabled', budgetTokens } } })
const effort = (reasoningEffort: string) => ({ openai: { reasoningEffort } })
const level = (thinkingLevel: string) => ({ google: { thinkingConfig: { thinkingLevel } } })
const tokens = (thinkingBudget: number) => ({ google: { thinkingConfig: { thinkingBudget } } })

describe('thinkingOptions', () => {
  it.each<[string, ThinkingLevel | null, object]>([
    ['anthropic/claude-haiku-4-5', 'minimal', budget(1_024)],
    ['anthropic/claude-sonnet-4-5-20250929', 'high', budget(16_384)],
    ['anthropic/claude-opus-4-1', 'xhigh', budget(32_000)],
    ['anthropic/claude-haiku-4-5', 'off', { anthropic: { thinking: { type: 'disabled' } } }],
    ['anthropic/claude-3-haiku-20240307', 'high', {}],
    ['anthropic/claude-opus-4-6', 'xhigh', adaptive('high')],
    ['anthropic/claude-opus-4-8', 'xhigh', adaptive('xhigh')],
    ['anthropic/claude-haiku-5-5', 'minimal', adaptive('low')],
    ['anthropic/claude-haiku-5-5', 'off', { anthropic: { thinking: { type: 'disabled' } } }],
    ['anthropic/claude-sonnet-5-5', 'off', { anthropic: { thinking: { type: 'between_tools' }, effort: 'low' } }],
    ['anthropic/claude-opus-5-5', 'off', { anthropic: { effort: 'low' } }],
    ['anthropic/claude-opus-9', 'medium', adaptive('medium')],
    ['anthropic/claude-opus-5', null, {}],
    ['openai/gpt-5', 'off', effort('minimal')],
    ['openai/gpt-5', 'minimal', effort('minimal')],
    ['openai/gpt-5', 'xhigh', effort('high')],
    ['openai/gpt-5.1', 'off', effort('none')],
    ['openai/gpt-5.1', 'minimal', effort('low')],
    ['openai/gpt-5.2', 'xhigh', effort('xhigh')],
    ['openai/gpt-5-codex', 'off', effort('low')],
    ['openai/gpt-5.1-codex-max', 'xhigh', effort('xhigh')],
    ['openai/gpt-5-pro', 'low', effort('high')],
    ['openai/gpt-6.1-sol', 'off', effort('low')],
    ['openai/gpt-6-sol', 'off', effort('none')],
    ['openai/o3', 'off', effort('low')],
    ['openai/gpt-4.1', 'high', {}],
    ['openai/gpt-5-chat-latest', 'high', {}],
    ['google/gemini-2.5-flash', 'off', tokens(0)],
    ['google/gemini-2.5-pro', 'off', tokens(128)],
    ['google/gemini-2.5-pro', 'high', tokens(16_384)],
    ['google/gemini-3-pro-preview', 'medium', level('high')],
    ['google/gemini-3.5-flash', 'off', level('minimal')],
    ['google/gemini-4-argon', 'low', level('low')],
    ['google/gemini-2.0-flash', 'high', {}],
    ['google/gemini-pro-latest', 'high', {}],
    ['local/claude-haiku-4-5', 'high', {}],
  ])('%s at %s', (name, asked, options) => {
    const [provider = '', id = ''] = name.split('/')
    expect(thinkingOptions(provider, id, asked)).toEqual(options)
  })
})
