import { describe, expect, it } from 'vitest'
import { withoutKeys } from './without-keys.ts'

describe('text without keys', () => {
  it.each([
    ['claude -p x --api-key sk-ant-api03-AbCdEf0123456789', 'claude -p x --api-key [removed]'],
    ['curl -H "Authorization: Bearer abc.def-ghi123"', 'curl -H "Authorization: Bearer [removed]"'],
    ['OPENAI_API_KEY=abcdef node agent.js', 'OPENAI_API_KEY=[removed] node agent.js'],
    ['{"password": "hunter22"}', '{"password": "[removed]"}'],
    ['git clone https://ann:s3cret@example.com/x.git', 'git clone https://ann:[removed]@example.com/x.git'],
    ['use ghp_0123456789abcdefghijABCDEFGHIJ012345 for it', 'use [removed] for it'],
    ['AKIAIOSFODNN7EXAMPLE', '[removed]'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc', '[removed]'],
    ['deploy 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15', 'deploy [removed]'],
    ['key Zm9vYmFyMTIzNDU2Nzg5MEFCQ0RFRkdISUpLTE1OT1BRUlM=', 'key [removed]'],
  ])('%s', (text, bare) => {
    expect(withoutKeys(text)).toBe(bare)
  })

  it.each([
    'stint run triage "Sort the inbox"',
    'stint exec --limit tokens=50k --limit cost=$2.50/day -- claude -p "fix the tests"',
    'node --max-old-space-size=4096 ./scripts/evaluate-the-whole-data-set.mjs',
    'explain how tokens are counted in this repository',
    'rotate the access key of the build server',
    'reset the password flow, the token that expires is refused',
  ])('keeps %s', (text) => {
    expect(withoutKeys(text)).toBe(text)
  })

  it('takes no longer than its length', () => {
    const hostile = ['a', 'token=', '://a:', 'sk-', 'bearer ', 'eyJaaaaaaaa.'].map((part) => part.repeat(20_000))
    for (const text of hostile) expect(withoutKeys(text).length).toBeLessThanOrEqual(text.length * 3)
  })
})
