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

  it('takes another spelling of a name for the name itself', () => {
    expect(suggestName('TOOL-CALLS', ['toolCall', 'toolCalls'])).toBe('toolCalls')
  })

  it('suggests nothing where nothing is near', () => {
    expect(suggestName('minute', ['hour', 'day', 'week', 'month'])).toBeNull()
    expect(suggestName('', ['day'])).toBeNull()
  })

  it('looks at no name that is longer than any real one', () => {
    expect(suggestName('x'.repeat(1_000_000), ['x'.repeat(64)])).toBeNull()
  })
})
