import { describe, expect, it } from 'vitest'
import { isTrustedMatch } from './trusted-match.ts'

const SONNET_5 = { or: [{ starts_with: 'claude-sonnet-5' }, { starts_with: 'claude-5-sonnet' }] }

describe('a row of the price table', () => {
  it.each([
    'claude-sonnet-5',
    'claude-sonnet-5-20260630',
    'claude-sonnet-5-2026-06-30',
    'claude-sonnet-5-latest',
    'claude-sonnet-5-thinking',
    'claude-sonnet-5@20260630',
    'claude-sonnet-5-v1:0',
    'claude-5-sonnet',
  ])('matches %s, which is the same model', (name) => {
    expect(isTrustedMatch(SONNET_5, name)).toBe(true)
  })

  it.each([
    'claude-sonnet-5-5',
    'claude-sonnet-5.5',
    'claude-sonnet-55',
    'claude-sonnet-5-5-20260929',
    'claude-sonnet-5-fast',
    'claude-sonnet-5-pro',
    'claude-sonnet-5:online',
    'claude-sonnet-4',
  ])('does not match %s, which is another model', (name) => {
    expect(isTrustedMatch(SONNET_5, name)).toBe(false)
  })

  it('may have the endpoint in front and end inside a date', () => {
    expect(isTrustedMatch({ contains: 'claude-sonnet-4-5' }, 'us.anthropic.claude-sonnet-4-5-20250929-v1:0')).toBe(true)
    expect(isTrustedMatch({ contains: 'claude-sonnet-4-5' }, 'not-really-claude-sonnet-4-5')).toBe(false)
    expect(isTrustedMatch({ starts_with: 'claude-sonnet-4-2025' }, 'claude-sonnet-4-20250514')).toBe(true)
    expect(isTrustedMatch({ ends_with: 'claude-opus-5' }, 'publishers/anthropic/claude-opus-5')).toBe(true)
  })

  it('is trusted if it names the model exactly', () => {
    expect(isTrustedMatch({ equals: 'gpt-5-codex' }, 'gpt-5-codex')).toBe(true)
    expect(
      isTrustedMatch({ and: [{ starts_with: 'gemini-2.5-pro' }, { regex: '^(?!.*-tts)' }] }, 'gemini-2.5-pro'),
    ).toBe(true)
    expect(
      isTrustedMatch({ and: [{ starts_with: 'gemini-2.5-pro' }, { regex: '^(?!.*-tts)' }] }, 'gemini-2.5-pro-tts'),
    ).toBe(false)
  })
})
