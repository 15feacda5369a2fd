import { expect, it } from 'vitest'
import { codeOf, messageOf } from './thrown.ts'

it('reads the message and the code of any thrown value', () => {
  const missing = Object.assign(new Error('no such file'), { code: 'ENOENT' })
  expect([messageOf(missing), codeOf(missing)]).toEqual(['no such file', 'ENOENT'])
  expect([messageOf('a text'), codeOf('a text')]).toEqual(['a text', null])
  expect([messageOf(null), codeOf(null)]).toEqual(['null', null])
  expect(codeOf(Object.assign(new Error('odd'), { code: 5 }))).toBeNull()
})
