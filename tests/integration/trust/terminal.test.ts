import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../src/exec/stubborn-tree.fixture.ts'
import { BUILT_PROGRAM } from '../../house/built-program.ts'
import { createClonedProject } from './cloned-project.ts'

// Of util-linux: it gives a program a terminal of its own. Others take other flags.
const SCRIPT = 'script'
const hasScript = (spawnSync(SCRIPT, ['--version'], { encoding: 'utf8' }).stdout ?? '').includes('util-linux')

describe('stint trust at a terminal', () => {
  it.each([
    ['y\n', 0, true],
    ['yes\n', 0, true],
    ['\n', 1, false],
    ['n\n', 1, false],
    ['\u0004', 1, false],
  ])('asks, and accepts %j as an answer', async (answer, exitCode, isTrusted) => {
    if (!hasScript) return
    const project = await createClonedProject({ 'project/stint.config.yaml': 'log: ./x.log\n' })
    const command = `exec '${process.execPath}' '${BUILT_PROGRAM}' trust`
    const child = spawn(SCRIPT, ['-qfec', command, '/dev/null'], {
      cwd: join(project.folder, 'project'),
      env: { ...project.env, TERM: 'xterm' },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let seen = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      seen += text
    })
    const left = new Promise((resolve) => child.once('close', resolve))
    await until(() => seen.includes('[y/N]'))
    expect(seen).toContain('stint.config.yaml:1: writes the log to ./x.log')
    child.stdin.write(answer)
    expect(await left).toBe(exitCode)
    const { folders } = JSON.parse((await project.stint('trust', '--show', '--json')).stdout)
    expect(folders[0].claims).toMatchObject([{ setting: 'log', isTrusted }])
  })
})
