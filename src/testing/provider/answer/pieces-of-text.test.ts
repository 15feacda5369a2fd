import { describe, expect, it } from 'vitest'
import { piecesOfText } from './pieces-of-text.ts'

describe.each([undefined, 1, 2, 7])('a text in pieces (count given: %s)', (count) => {
  it.each(['', 'a', 'some words', 'a🎉🎉🎉', '🎉'.repeat(20)])(
    'cuts no character in two and loses nothing: %s',
    (text) => {
      const pieces = piecesOfText(text, count)
      expect(pieces.join('')).toBe(text)
      expect(pieces.filter((piece) => piece === '' || /\p{Surrogate}/u.test(piece))).toEqual([])
    },
  )
})

it('has the given number of pieces of similar length, if it has as many characters', () => {
  const lengths = piecesOfText('word '.repeat(200), 496).map((piece) => piece.length)
  expect(lengths).toHaveLength(496)
  expect(new Set(lengths)).toEqual(new Set([2, 3]))
  expect(piecesOfText('word', 10)).toEqual(['w', 'o', 'r', 'd'])
})
