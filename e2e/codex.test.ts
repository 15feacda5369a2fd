import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeProgram } from './describe-program.ts'
import { CLOSING } from './programs/agent-program.ts'
import { codex } from './programs/codex.ts'
import { stageProgram } from './run-program.ts'

const PROGRAM = join(import.meta.dirname, 'node_modules/@openai/codex/bin/codex.js')

describeProgram(codex)

describe('Codex', () => {
  it('uses its own login where there is no key in the environment', async () => {
    const stage = await stageProgram(codex)
    mkdirSync(join(stage.homeFolder, '.codex'))
    writeFileSync(join(stage.homeFolder, '.codex/auth.json'), JSON.stringify({ OPENAI_API_KEY: 'sk-its-own-login' }))
    const end = await stage.exec(['--limit', 'turns=1'], codex.command, { OPENAI_API_KEY: '' })
    expect(end).toMatchObject({ exitCode: 124, report: { calls: 2, keptBack: ['ANTHROPIC_API_KEY'] } })
    expect(end.stdout.trim()).toBe(CLOSING)
    const keys = stage.provider.requests.map(({ headers }) => headers.authorization)
    expect(keys).toEqual(['Bearer sk-its-own-login', 'Bearer sk-its-own-login'])
  })

  it.each([
    ['sh', ['sh', '-c', codex.command.map((word) => `'${word}'`).join(' ')]],
    ['node', ['node', PROGRAM, ...codex.command.slice(1)]],
  ])('is governed behind %s as well', async (_, command) => {
    const stage = await stageProgram(codex)
    const end = await stage.exec(['--limit', 'turns=2'], command)
    expect(end.stdout.trim()).toBe(CLOSING)
    expect(end).toMatchObject({ exitCode: 124, report: { status: 'limit-reached', calls: 2 } })
    expect(stage.provider.requestCount).toBe(2)
  })
})
