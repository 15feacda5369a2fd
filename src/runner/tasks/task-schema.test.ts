import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { taskSchema } from './task-schema.ts'

describe('the published schema of Task', () => {
  it('matches what the code generates (npm run schemas writes it)', () => {
    const file = new URL('../../../schemas/agent-spawn-params.json', import.meta.url)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(taskSchema())
  })
})
