import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { REPOSITORY } from '../../house/repository.ts'
import { createTemporaryFolder } from '../../house/temporary-folder.ts'

// Writes down every module that the program really loads.
const SPY = `
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
const seen = []
registerHooks({ resolve(specifier, context, next) { const found = next(specifier, context); seen.push(found.url); return found } })
process.on('exit', () => writeFileSync(process.env.SEEN, seen.join('\\n')))
`

it.each([[['status']], [['tasks']], [['watch', '--once']], [['agents', '--help']]])(
  'stint %s loads no model, no loop and no gateway, so that it stays fast',
  (args) => {
    const folder = createTemporaryFolder({ 'spy.mjs': SPY })
    const seen = join(folder, 'seen.txt')
    const { status } = spawnSync(
      process.execPath,
      ['--import', join(folder, 'spy.mjs'), join(REPOSITORY, 'src/cli/stint.ts'), ...args],
      { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, STINT_HOME: join(folder, 'stint'), SEEN: seen } },
    )
    expect(status).toBe(0)
    const loaded = readFileSync(seen, 'utf8').split('\n')
    expect(loaded.length).toBeGreaterThan(50)
    expect(loaded.filter((url) => /node_modules\/(ai|@ai-sdk|undici|zod)\//.test(url))).toEqual([])
  },
)
