import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readToken, type ScopeToken, signToken, verifyToken } from './scope-token.ts'

const SECRET = randomBytes(32)
const TOKEN: ScopeToken = {
  ledger: 'sqlite:/state/ledger.db',
  scopeId: 'run-1',
  gatewayUrl: 'http://127.0.0.1:4000',
  serverUrl: 'http://127.0.0.1:4001',
  isOwner: false,
}

describe('the token of a scope', () => {
  it('names ledger, scope and gateway, and is recognized by its issuer', () => {
    const text = signToken(TOKEN, SECRET)
    expect(verifyToken(text, SECRET)).toEqual(TOKEN)
    expect(readToken(text)).toEqual(TOKEN)
  })

  it('has no authority if a single character is changed', () => {
    const text = signToken(TOKEN, SECRET)
    for (let index = 0; index < text.length; index++) {
      const broken = `${text.slice(0, index)}${text[index] === 'A' ? 'B' : 'A'}${text.slice(index + 1)}`
      expect(verifyToken(broken, SECRET)).toBeNull()
    }
    expect(verifyToken(text, randomBytes(32))).toBeNull()
    expect(verifyToken(`${text}.`, SECRET)).toBeNull()
  })

  it.each([
    ['', 'nothing'],
    ['run-1', 'an id'],
    ['stint1.e30.', 'no signature'],
    ['stint1.e30.x', 'no fields'],
    [signToken({ ...TOKEN, serverUrl: 'http://example.com:80' }, SECRET), 'a server elsewhere'],
    [signToken({ ...TOKEN, gatewayUrl: 'http://127.0.0.1:1@example.com' }, SECRET), 'a gateway elsewhere'],
    ['x'.repeat(10_000), 'too much'],
  ])('is refused, with what to do, if it is %o: %s', (text) => {
    expect(() => readToken(text)).toThrow(/STINT_SCOPE cannot be used: .* unset STINT_SCOPE/)
    expect(verifyToken(text, SECRET)).toBeNull()
  })
})
