import { expect, it } from 'vitest'
import { apiPage } from '../../scripts/api/api-page.ts'
import { readPublicApi } from '../../scripts/api/public-api.ts'
import { readRepositoryFile } from './repository.ts'

// Ports and records with many parts of their own, which few users name: `stint/core`, `stint/policy` and `stint/pricing`
// have those.
const PARTS_ELSEWHERE = [
  'ErrorByCode',
  'LedgerStore',
  'ModelPrice',
  'ParsedLimits',
  'PriceList',
  'ResolvedLimits',
  'StintEvent',
]

// Small parts are written where they are used: `Limit['action']`, `Parameters<Scope['pause']>[0]`. A name of its own is
// for what users pass around.
const MOST_NAMES = 82

const entries = readPublicApi()

it('matches docs/reference/api.md (npm run api writes it)', () => {
  const isSame = readRepositoryFile('docs/reference/api.md') === apiPage(entries)
  expect(isSame, 'docs/reference/api.md is not up to date: run npm run api').toBe(true)
})

it('exports every type that a signature of the root mentions from the root', () => {
  const root = entries.find(({ specifier }) => specifier === 'stint')!.exports
  const own = root.filter(({ name }) => !PARTS_ELSEWHERE.includes(name))
  expect(root.length).toBeGreaterThan(50)
  expect(own.flatMap(({ name, missing }) => missing.map((type) => `${name} mentions ${type}`))).toEqual([])
})

it(`has at most ${MOST_NAMES} names in the root`, () => {
  const root = entries.find(({ specifier }) => specifier === 'stint')!.exports
  expect(root.length).toBeLessThanOrEqual(MOST_NAMES)
})

it('exports every type that a signature of any entry point mentions from one', () => {
  const unreachable = entries.flatMap(({ specifier, exports }) => {
    return exports.flatMap(({ name, unreachable }) => unreachable.map((type) => `${specifier}: ${name} → ${type}`))
  })
  expect(unreachable).toEqual([])
})
