import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { REPOSITORY } from './repository.ts'

const MOST_KILOBYTES = 60

it(`the page has at most ${MOST_KILOBYTES} kB of script, compressed`, () => {
  const folder = join(REPOSITORY, 'dist/web')
  const scripts = globSync('**/*.js', { cwd: folder })
  expect(scripts.length).toBeGreaterThan(0)
  const bytes = scripts.reduce((sum, script) => sum + gzipSync(readFileSync(join(folder, script))).length, 0)
  expect(bytes).toBeGreaterThan(1000)
  expect(bytes / 1000).toBeLessThanOrEqual(MOST_KILOBYTES)
})

it('the page names no other server', () => {
  const folder = join(REPOSITORY, 'dist/web')
  const texts = globSync('**/*.{html,js,css}', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'))
  const addresses = texts.flatMap((text) => text.match(/https?:\/\/[\w.-]+/g) ?? [])
  // Names of vocabularies, which nothing is loaded from.
  expect(addresses.filter((address) => !/^http:\/\/www\.w3\.org/.test(address))).toEqual([])
})
