import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createAcceptanceStage, isAlive, reporting, satisfied } from './acceptance.fixture.ts'

const done = { text: 'Done.' }

const written = (stage: { readonly workingFolder: string }) =>
  expect.poll(() => existsSync(join(stage.workingFolder, 'pid')) && pidIn(stage.workingFolder) > 0).toBe(true)

const pidIn = (folder: string, name = 'pid'): number => Number(readFileSync(join(folder, name), 'utf8'))

describe('a verify command', () => {
  it('that hangs is ended with its process tree at its timeout, and the agent is told', async () => {
    const stage = createAcceptanceStage([done, { text: 'Done again.' }])
    const command = 'sleep 600 & echo $! > pid; echo waiting; wait'
    const result = await stage.run({ verify: [{ id: 'hangs', command, timeoutMs: 300 }], maxFinalizationTurns: 1 })
    expect(result.acceptance!.verify).toMatchObject([{ status: 'timed-out', output: 'waiting' }])
    expect(result).toMatchObject({ status: 'failed', acceptance: { status: 'rejected' } })
    expect(result.error).toContain('verify hangs timed out after 300ms')
    expect(isAlive(pidIn(stage.workingFolder))).toBe(false)
  })

  it('that ignores signals does not outlive its timeout, nor do children in their own session', async () => {
    const stage = createAcceptanceStage([done])
    const command =
      'setsid sh -c \'trap "" INT TERM HUP; echo $$ > pid; while :; do sleep 1; done\' > /dev/null 2>&1 & ' +
      'while ! test -s pid; do sleep 0.02; done; echo started'
    const result = await stage.run({ verify: [{ id: 'daemon', command }] })
    expect(result.acceptance).toMatchObject({ status: 'verified', verify: [{ status: 'passed', output: 'started' }] })
    expect(isAlive(pidIn(stage.workingFolder))).toBe(false)
  })

  it('that prints too much is cut to the end of its output, in the result and for the agent', async () => {
    const stage = createAcceptanceStage([done, done])
    const command = 'yes line | head -c 20000000; echo the end; exit 1'
    const result = await stage.run({ verify: [{ id: 'floods', command }], maxFinalizationTurns: 1 })
    const { output } = result.acceptance!.verify[0]!
    expect(output).toMatch(/^\[… \d+ bytes before this are not shown …\]\n[\s\S]*the end$/)
    expect(output.length).toBeLessThan(9_000)
    expect(stage.told(1).length).toBeLessThan(30_000)
  })

  it('sees no provider key, under any name, and no token of the run', async () => {
    const key = 'sk-ant-1234567890abcdef'
    const env = {
      PATH: process.env.PATH,
      ANTHROPIC_API_KEY: key,
      COPY: `x${key}`,
      OWN_KEY: 'mine-1234567890',
      KEPT: 'yes',
    }
    const stage = createAcceptanceStage([done], { env: { ...env, STINT_SCOPE: 'token' }, furtherKeys: ['OWN_KEY'] })
    const result = await stage.run({ verify: [{ id: 'env', command: 'env' }] })
    const { output } = result.acceptance!.verify[0]!
    expect(output).toContain('KEPT=yes')
    expect(output).not.toMatch(/sk-ant|mine-|STINT_SCOPE/)
  })

  it('that does not exist fails, and says so', async () => {
    const stage = createAcceptanceStage([done, done])
    const verify = [
      { id: 'none', command: './no-such-program' },
      { id: 'killed', command: 'kill -9 $$' },
    ]
    const result = await stage.run({ verify, maxFinalizationTurns: 1 })
    expect(result.acceptance!.verify).toMatchObject([
      { status: 'failed', exitCode: 127 },
      { status: 'failed', exitCode: null, output: 'It was ended by SIGKILL.' },
    ])
  })

  it('C7: is cancelled by the deadline of the run, with its tree; the acceptance stays claimed', async () => {
    const stage = createAcceptanceStage([done], { limits: { limits: { wallTime: '1h' } } })
    const running = stage.run({ verify: [{ id: 'slow', command: 'sleep 600 & echo $! > pid; wait' }] })
    await written(stage)
    await (await stage.governor.find(stage.id))!.setLimits({ wallTime: '5ms' })
    const result = await running
    expect(result).toMatchObject({ status: 'timed-out', timedOut: true, error: 'Timed out after 5ms.' })
    expect(result).toMatchObject({ partialOutput: 'Done.', acceptance: { status: 'claimed' } })
    expect(isAlive(pidIn(stage.workingFolder))).toBe(false)
  })

  it('counts as time of the run: a time limit ends it, and earlier checks stay checked', async () => {
    const stage = createAcceptanceStage([reporting(satisfied)], { limits: { limits: { time: '1h' } } })
    const running = stage.run({ criteria: ['x'], verify: [{ id: 'slow', command: 'echo $$ > pid; sleep 600' }] })
    await written(stage)
    const scope = (await stage.governor.find(stage.id))!
    const before = (await scope.usage()).time.settled
    await expect.poll(async () => (await scope.usage()).time.settled).toBeGreaterThan(before)
    await scope.setLimits({ time: '5ms' })
    const result = await running
    expect(result).toMatchObject({ status: 'limit-reached', breach: { meter: 'time' } })
    expect(result.acceptance).toMatchObject({ status: 'checked', verify: [{ status: 'not-run' }] })
  })

  it('counts as activity, even if it prints nothing', async () => {
    const stage = createAcceptanceStage([done], { limits: { limits: { idle: '1h' } } })
    const running = stage.run({ verify: [{ id: 'quiet', command: 'echo $$ > pid; sleep 6' }] })
    await written(stage)
    await (await stage.governor.find(stage.id))!.setLimits({ idle: '4s' })
    expect(await running).toMatchObject({ status: 'completed', acceptance: { status: 'verified' } })
  })

  it('is stopped with the run', async () => {
    const stage = createAcceptanceStage([done])
    const controller = new AbortController()
    const verify = [{ id: 'slow', command: 'echo $$ > pid; sleep 600' }]
    const running = stage.run({ verify }, {}, { signal: controller.signal })
    await written(stage)
    controller.abort(new Error('enough'))
    expect(await running).toMatchObject({ status: 'stopped', acceptance: { status: 'claimed' } })
    expect(isAlive(pidIn(stage.workingFolder))).toBe(false)
  })

  it('H12: is the one that the run started with, even if its files change', async () => {
    const stage = createAcceptanceStage([done, done])
    const record = join(stage.taskFolder, stage.id, 'request.json')
    const change = (): void => writeFileSync(record, readFileSync(record, 'utf8').replace('exit 7', 'exit 0'))
    const contract = { verify: [{ id: 'tests', command: 'exit 7' }], maxFinalizationTurns: 1 }
    const result = await stage.run(contract, {}, { onProgress: ({ kind }) => kind === 'started' && change() })
    expect(readFileSync(record, 'utf8')).toContain('exit 0')
    expect(result.error).toContain('verify tests failed (exit code 7)')
  })
})
