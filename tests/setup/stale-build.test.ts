import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '../house/temporary-folder.ts'
import { staleBuild } from './stale-build.ts'

describe('a build', () => {
  it('that is missing is stale', () => {
    expect(staleBuild(createTemporaryFolder(), [])).toBe('dist/ is missing')
  })

  it('that is older than the source is stale; tests do not count', () => {
    const folder = createTemporaryFolder({ 'dist/index.js': '', 'src/a.ts': '', 'src/a.test.ts': '' })
    const ages = { 'dist/index.js': 2000, 'src/a.ts': 1000, 'src/a.test.ts': 3000 }
    for (const [path, seconds] of Object.entries(ages)) utimesSync(join(folder, path), seconds, seconds)
    expect(staleBuild(folder, Object.keys(ages))).toBeNull()
    utimesSync(join(folder, 'src/a.ts'), 4000, 4000)
    expect(staleBuild(folder, Object.keys(ages))).toBe('dist/ is older than src/a.ts')
  })
})
