import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createProcessTable } from './create-process-table.ts'
import { type CommandSpec, runCommand } from './run-command.ts'

const run = (command: CommandSpec['command'], more: Partial<CommandSpec> = {}) =>
  runCommand({
    command,
    cwd: tmpdir(),
    env: { PATH: process.env.PATH },
    timeoutMs: 30_000,
    maxOutputBytes: 1_000,
    ...more,
  })

describe('runCommand', () => {
  it('returns the exit code and both outputs of a shell command or a program with arguments', async () => {
    expect(await run('echo out; echo err >&2; exit 3')).toMatchObject({
      exit: 3,
      signal: null,
      error: null,
      output: 'out\nerr\n',
      omittedBytes: 0,
      timedOut: false,
    })
    expect(await run(['printf', '%s', 'a  b'])).toMatchObject({ exit: 0, output: 'a  b' })
    expect(await run(['cat'], { input: 'given' })).toMatchObject({ exit: 0, output: 'given' })
    expect(await run('kill -9 $$')).toMatchObject({ exit: null, signal: 'SIGKILL' })
  })

  it('says why a program could not be started', async () => {
    const { exit, error } = await run(['no-such-program-anywhere'])
    expect([exit, error?.message]).toEqual([null, expect.stringContaining('ENOENT')])
    expect((await run(['true'], { cwd: '/no/such/folder' })).error).not.toBeNull()
  })

  it('keeps the end of the output, and counts the rest', async () => {
    const { output, omittedBytes } = await run('yes | head -c 100000; echo end', { maxOutputBytes: 6 })
    expect([output, omittedBytes]).toEqual(['y\nend\n', 99_998])
  })

  it('withholds provider keys from it, unless told to pass them on', async () => {
    const env = { PATH: process.env.PATH, OPENAI_API_KEY: 'sk-0123456789abcdef', MY_KEY: 'my-0123456789abcdef' }
    const print = 'echo "$OPENAI_API_KEY $MY_KEY"'
    expect((await run(print, { env, keyVariables: ['MY_KEY'] })).output).toBe(' \n')
    expect((await run(print, { env, keyVariables: null })).output).toBe(`${env.OPENAI_API_KEY} ${env.MY_KEY}\n`)
  })

  it('ends it with its whole tree when its time is up, and what it leaves running', async () => {
    const isLeft = (word: string) =>
      createProcessTable()
        .list()
        .some(({ pid }) => hasWord(pid, word))
    const hasWord = (pid: number, word: string) => createProcessTable().variableOf(pid, 'WORD') === word
    const late = await run('trap "" TERM INT; sleep 1000 & sleep 1000', { timeoutMs: 50, env: named('late') })
    expect([late.timedOut, isLeft('late')]).toEqual([true, false])
    const leaving = await run('sleep 1000 > /dev/null 2>&1 & echo done', { env: named('leaving') })
    expect([leaving.exit, leaving.output, isLeft('leaving')]).toEqual([0, 'done\n', false])
  })

  it('ends it when the signal is aborted, and rejects with the reason', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stint-run-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const controller = new AbortController()
    const running = run(`touch ${folder}/begun; sleep 1000`, { signal: controller.signal })
    await expect.poll(() => existsSync(join(folder, 'begun'))).toBe(true)
    controller.abort(new Error('no longer wanted'))
    await expect(running).rejects.toThrow('no longer wanted')
    await expect(run('true', { signal: controller.signal })).rejects.toThrow('no longer wanted')
  })
})

const named = (word: string) => ({ PATH: process.env.PATH, WORD: word })
