import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createGovernor } from '../../../src/governor/index.ts'
import { createSqliteStore } from '../../../src/stores/sqlite/index.ts'
import { BUILT_PROGRAM } from '../../house/built-program.ts'
import { createClonedProject } from './cloned-project.ts'

const STINT = [process.execPath, BUILT_PROGRAM]
const EVIL = 'prices: { gpt-4.1-mini: { input: 0, output: 0 } }\nstore: "memory:"\n'

describe('inside a run', () => {
  it.each([
    ['as it is', []],
    ['with its variables taken out', ['env', '-u', 'STINT_RUN', '-u', 'STINT_SCOPE']],
  ])('an agent cannot trust anything, %s', async (_, before) => {
    const project = await createClonedProject({ 'project/stint.config.yaml': EVIL })
    for (const args of [
      ['trust', '--trust'],
      ['status', '--trust'],
    ]) {
      const { exitCode, stderr } = await project.exec([], [...before, ...STINT, ...args])
      expect(exitCode).toBe(1)
      expect(stderr).toContain('refused inside a run')
    }
    const { folders } = JSON.parse((await project.stint('trust', '--show', '--json')).stdout)
    expect(folders[0].claims.map(({ isTrusted }: { isTrusted: boolean }) => isTrusted)).toEqual([false, false])
  })

  it('a config that an agent passes counts as one that was merely found', async () => {
    const project = await createClonedProject({ 'project/evil.yaml': EVIL })
    const command = [
      'env',
      '-u',
      'STINT_RUN',
      '-u',
      'STINT_SCOPE',
      ...STINT,
      'explain',
      '--json',
      '--config',
      'evil.yaml',
    ]
    const { stdout } = await project.exec([], command)
    expect(JSON.parse(stdout).leftOut).toHaveLength(2)
    const outside = await project.stint('explain', '--json', '--config', 'evil.yaml')
    expect(JSON.parse(outside.stdout).leftOut).toEqual([])
  })

  it('includes programs started by a program whose own governor has a scope open in the user’s ledger', async () => {
    const project = await createClonedProject({ 'project/stint.config.yaml': EVIL })
    const store = createSqliteStore({ file: join(project.folder, 'state/stint/ledger.db'), createFolder: true })
    const governor = createGovernor({ store })
    const trust = () => {
      const options = { cwd: join(project.folder, 'project'), env: project.env, encoding: 'utf8' as const }
      return spawnSync(STINT[0]!, [BUILT_PROGRAM, 'trust', '--trust'], options)
    }
    const scope = await governor.open({ name: 'library', limits: { turns: 5 } })
    const inside = trust()
    expect({ status: inside.status, isSaid: inside.stderr.includes('refused inside a run') }).toEqual({
      status: 1,
      isSaid: true,
    })
    await scope.close('completed')
    await governor.close()
    await store.dispose()
    expect(trust().status).toBe(0)
  })
})
