import { describe, expect, it } from 'vitest'
import { hrefOf, parsePlace } from './route.ts'

describe('an address', () => {
  it.each([
    [{ page: 'live' }, { status: 'running', find: 'a b&c' }],
    [{ page: 'scope', id: 'run/1?#%' }, {}],
    [{ page: 'spend' }, { since: '7d', by: 'model' }],
  ] as const)('is parsed back to its place: %o %o', (route, filters) => {
    expect(parsePlace(hrefOf(route, filters))).toEqual({ route, filters })
  })

  it('omits empty filters', () => {
    expect(hrefOf({ page: 'live' }, { status: '' })).toBe('#/')
  })

  it.each(['#/elsewhere', '#/scopes/', '#/scopes/%E0%A4%A', '#/scopes/a/b', '#/spend/x'])('is refused: %s', (hash) => {
    expect(parsePlace(hash).route).toEqual({ page: 'not-found' })
  })

  it.each(['', '#', '#/', '#/?find=x'])('is the first page: "%s"', (hash) => {
    expect(parsePlace(hash).route).toEqual({ page: 'live' })
  })
})
