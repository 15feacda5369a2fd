import { expect, it } from 'vitest'
import { piecesOfText } from './pieces-of-text.ts'

it.each(['', 'a', 'some words', 'a🎉🎉🎉', '🎉'.repeat(20)])(
  'cuts no character in two and loses nothing: %s',
  (text) => {
    const pieces = piecesOfText(text)
    expect(pieces.join('')).toBe(text)
    expect(pieces.filter((piece) => /\p{Surrogate}/u.test(piece))).toEqual([])
  },
)
