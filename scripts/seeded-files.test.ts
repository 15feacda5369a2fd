import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { seededFiles } from './seeded-files.ts'

describe('the files that are explored', () => {
  const files = seededFiles(join(import.meta.dirname, '..'))

  it('have properties of their own, or share them', () => {
    expect(files).toContain('src/governor/random-program.test.ts')
    expect(files).toContain('src/gateway/dialects/openai-chat/openai-chat.test.ts')
    expect(files).toContain('tests/contract/laws.test.ts')
  })

  it('are no others', () => {
    expect(files).not.toContain('src/governor/steering/pause.test.ts')
    expect(files).not.toContain('tests/house/docs.test.ts')
  })
})
