import { expect, it } from 'vitest'
import { shellWord } from './shell-word.ts'

it.each([
  ['team:core/developer', 'team:core/developer'],
  ['x; rm -rf ~', "'x; rm -rf ~'"],
  ["it's", "'it'\\''s'"],
  ['$(id)', "'$(id)'"],
  ['a\nb', "'a b'"],
  ['-rf', "'-rf'"],
  ['', "''"],
])('%j is the word %s', (name, word) => {
  expect(shellWord(name)).toBe(word)
})
