import { expect, it } from 'vitest'
import { keptText } from './kept-text.ts'

it('removes keys, and cuts the end of a long text', () => {
  expect(keptText('deploy with sk-ant-api03-abcdef123456')).toBe('deploy with [removed]')
  const kept = keptText('word '.repeat(100_000))
  expect(kept).toHaveLength(2_000)
  expect(kept.endsWith('…')).toBe(true)
})

it('removes half a key at the cut', () => {
  const kept = keptText(`${'a'.repeat(1_900)} ${' '.repeat(2_080)} sk-ant-api03-abcdef123456`)
  expect(kept).not.toContain('sk-ant')
})
