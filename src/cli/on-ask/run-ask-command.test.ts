import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { runAskCommand } from './run-ask-command.ts'

const call = (command: string | readonly string[], timeoutMs = 30_000) =>
  runAskCommand({
    command,
    input: '{}\n',
    env: { PATH: process.env.PATH ?? '' },
    cwd: tmpdir(),
    timeoutMs,
  })

describe('The onAsk command', () => {
  it('succeeds, whether it reads its input or not', async () => {
    expect(await call(['cat'])).toBeNull()
    expect(await call('exec < /dev/null; true')).toBeNull()
  })

  it('reports why it failed', async () => {
    expect(await call('exit 3')).toBe('it ended with 3')
    expect(await call(['no-such-program-anywhere'])).toContain('ENOENT')
  })

  it('is ended at its time limit, with the processes it started', async () => {
    expect(await call('sleep 1000 & wait', 50)).toBe('it took longer than 0.05 seconds')
  })
})
