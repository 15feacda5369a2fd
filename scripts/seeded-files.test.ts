import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { seededFiles } from './seeded-files.ts'

describe('the files that `npm run explore` plays', () => {
  const files = seededFiles(join(import.meta.dirname, '..'))

  it('contain property tests of their own, or share them', () => {
    expect(files).toContain('src/governor/random-program.test.ts')
    expect(files).toContain('src/gateway/dialects/openai-chat/openai-chat.test.ts')
    expect(files).toContain('tests/contract/laws.test.ts')
  })

  it('are all of them', () => {
    expect(files).not.toContain('src/governor/steering/pause.test.ts')
    expect(files).not.toContain('tests/house/docs.test.ts')
  })
})
