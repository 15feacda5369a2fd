import { spawn, spawnSync } from 'node:child_process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../src/exec/stubborn-tree.fixture.ts'
import { createScriptedProvider, toolThenText } from '../../../src/testing/provider/index.ts'
import { BUILT_PROGRAM } from '../../house/built-program.ts'
import { ANY_AGENT, createMachine } from './start-exec.ts'

// Of util-linux: it gives a program its own terminal. Others take other flags.
const SCRIPT = 'script'
const hasScript = (spawnSync(SCRIPT, ['--version'], { encoding: 'utf8' }).stdout ?? '').includes('util-linux')

const INTERACTIVE = `
const { createInterface } = require('node:readline')
const lines = createInterface({ input: process.stdin })
process.on('SIGINT', () => { console.log('interrupted'); })
console.log('terminal ' + process.stdin.isTTY + ' ' + process.stdout.isTTY)
lines.on('line', (line) => { console.log('read', line); if (line === 'bye') process.exit(5) })
`

/** A person at a terminal, in front of `stint exec`. */
function sitDown(script: string, flags: readonly string[] = [], own: Readonly<Record<string, string>> = {}) {
  const { folder, env } = createMachine(own)
  const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
  const command = [process.execPath, BUILT_PROGRAM, 'exec', ...flags, '--', process.execPath, '-e', script]
  // Without the shell around it, which would end by ^C in its own way.
  const args = ['-qfec', `exec ${command.map(quote).join(' ')}`, '/dev/null']
  const child = spawn(SCRIPT, args, { cwd: folder, env: { ...env, TERM: 'xterm' }, stdio: ['pipe', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let seen = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    seen += text
  })
  return {
    type: (text: string) => void child.stdin.write(text),
    sees: (text: string) => until(() => seen.includes(text)),
    seen: () => seen,
    left: new Promise<number | null>((resolve) => void child.once('close', (code) => resolve(code))),
  }
}

describe('stint exec at a terminal', () => {
  it('gives the terminal to an interactive program: it reads, and handles ^C itself', async ({ skip }) => {
    if (!hasScript) return skip()
    const person = sitDown(INTERACTIVE)
    await person.sees('terminal true true')
    person.type('hello\n')
    await person.sees('read hello')
    person.type('\u0003')
    await person.sees('interrupted')
    person.type('bye\n')
    expect(await person.left).toBe(5)
    expect(person.seen()).toContain('calls: 0')
    // We print nothing into what the program shows.
    expect(person.seen().split('read bye')[0]).not.toContain('stint:')
  })

  it('holds back its notices until a program that uses the terminal has ended', async ({ skip }) => {
    if (!hasScript) return skip()
    const provider = await createScriptedProvider({ script: toolThenText(3) })
    onTestFinished(() => provider.close())
    const agent = `import(${JSON.stringify(ANY_AGENT[1])}).then(() => console.log('that was all'))`
    const person = sitDown(agent, ['--limit', 'turns=2:warn'], { OPENAI_BASE_URL: provider.openaiUrl })
    expect(await person.left).toBe(0)
    const [before, after] = person.seen().split('that was all')
    expect(before).not.toContain('stint:')
    expect(after).toContain('has passed a limit that only warns')
  })

  it('exits as interrupted if the program does', async ({ skip }) => {
    if (!hasScript) return skip()
    const person = sitDown('console.log("ready"); setInterval(() => {}, 1000)')
    await person.sees('ready')
    person.type('\u0003')
    expect(await person.left).toBe(130)
    expect(person.seen()).toContain('stopped')
  })
})
