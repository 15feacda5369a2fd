import { describe, expect, it } from 'vitest'
import { suggestName } from './suggest-name.ts'

describe('suggestName', () => {
  it('G3: finds the nearest name for a typing error', () => {
    expect(suggestName('mesage', ['messages', 'message'])).toBe('message')
    expect(suggestName('tokesn', ['toolCalls', 'tokens'])).toBe('tokens')
  })

  it('counts two swapped letters as one error', () => {
    expect(suggestName('ocst', ['cost'])).toBe('cost')
    expect(suggestName('wran', ['pause', 'warn'])).toBe('warn')
  })

  it('recognizes another spelling of a name', () => {
    expect(suggestName('TOOL-CALLS', ['toolCall', 'toolCalls'])).toBe('toolCalls')
  })

  it('suggests nothing if no name is close', () => {
    expect(suggestName('minute', ['hour', 'day', 'week', 'month'])).toBeNull()
    expect(suggestName('', ['day'])).toBeNull()
  })

  it('ignores names that are longer than any real one', () => {
    expect(suggestName('x'.repeat(1_000_000), ['x'.repeat(64)])).toBeNull()
  })
})
