import { describe, expect, it } from 'vitest'
import { commandText } from './command-text.ts'

describe('a command on one line', () => {
  it('quotes what a shell would split or interpret', () => {
    expect(commandText('claude', ['-p', 'fix "it"', '--limit', 'cost=1', ''])).toBe(
      'claude -p "fix \\"it\\"" --limit cost=1 ""',
    )
  })
})
