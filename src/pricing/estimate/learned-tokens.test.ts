import { describe, expect, it } from 'vitest'
import { runThrough } from '../../core/interruptible-work.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { learnedTokens, noteSize, type SizeRatios } from './learned-tokens.ts'
import { tokenFloor } from './token-floor.ts'

const MODEL = 'claude-sonnet-5'
const PROSE = 'Nothing of what is written here is of any use to those who read it. '.repeat(200)
const sizeOf = (text: string) => ({
  estimated: estimateTokens(text, 'tight', MODEL),
  floor: runThrough(tokenFloor(text)),
})
const noted = (...ratios: readonly number[]): SizeRatios =>
  ratios.reduce<SizeRatios>((known, ratio) => noteSize(known, { estimated: 10_000, counted: 10_000 * ratio }), [])

describe('learnedTokens', () => {
  it('is the estimate if nothing was learned', () => {
    expect(learnedTokens({ estimated: 1_000, floor: 400 }, [])).toBe(1_000)
  })

  it('is what similar prompts took, with a margin', () => {
    expect(learnedTokens({ estimated: 1_000, floor: 400 }, noted(0.6))).toBe(648)
  })

  it('uses the least favorable of the last eight prompts', () => {
    expect(learnedTokens({ estimated: 1_000, floor: 400 }, noted(0.6, 0.8, 0.5))).toBe(864)
    const faded = noted(0.8, ...Array<number>(8).fill(0.5))
    expect(learnedTokens({ estimated: 1_000, floor: 400 }, faded)).toBe(540)
  })

  it('is never above the estimate, even if that was too low', () => {
    expect(learnedTokens({ estimated: 1_000, floor: 400 }, noted(1.4))).toBe(1_000)
  })

  it('learns nothing from a prompt of a few words, or from one that counted nothing', () => {
    expect(noteSize([], { estimated: 100, counted: 20 })).toEqual([])
    expect(noteSize([], { estimated: 10_000, counted: 0 })).toEqual([])
  })

  it.each([
    ['base64', Buffer.from(PROSE.repeat(2)).toString('base64')],
    ['digits', '90125 77341 '.repeat(2_000)],
    ['single letters', 'y\nn\n'.repeat(4_000)],
    ['symbols', '{}[];:,.<>'.repeat(1_500)],
    ['emoji', '🙂🙃'.repeat(3_000)],
  ])('is never below the floor of dense data that follows prose: %s', (_, text) => {
    const prose = sizeOf(PROSE)
    const ratios = noteSize([], { estimated: prose.estimated, counted: PROSE.length / 5 })
    expect(learnedTokens(prose, ratios)).toBeLessThan(prose.estimated)
    expect(learnedTokens(sizeOf(text), ratios)).toBeGreaterThanOrEqual(sizeOf(text).floor)
  })
})
