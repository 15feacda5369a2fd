import { expect, it } from 'vitest'
import { createReportCache } from './report-cache.ts'

it('keeps a bounded number of answers for a moment', async () => {
  let nowMs = 0
  const cache = createReportCache<number>(() => nowMs)
  const made: unknown[] = []
  const get = (key: unknown) => cache.get(key, async () => made.push(key))
  await get('a')
  await get('a')
  expect(made).toEqual(['a'])
  nowMs += 5_000
  await get('a')
  expect(made).toEqual(['a', 'a'])
  for (let other = 0; other < 20; other++) await get(other)
  await get('a')
  expect(made.slice(-1)).toEqual(['a'])
})
