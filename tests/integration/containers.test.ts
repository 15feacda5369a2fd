import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGovernor } from '../../src/governor/index.ts'
import { createSqliteStore, verifyLedger } from '../../src/stores/sqlite/index.ts'
import { isHolderAlive } from '../../src/system/index.ts'
import { createManualClock } from '../../src/testing/index.ts'
import { createTemporaryFolder } from '../house/temporary-folder.ts'
import { startProgram, type Worker } from './start-worker.ts'

const WORKER = fileURLToPath(new URL('./container-worker.ts', import.meta.url))
const UNSHARE = ['unshare', '--map-root-user', '--pid', '--fork', '--kill-child=SIGKILL', '--mount-proc'] as const
const NODE = [process.execPath, '--disable-warning=ExperimentalWarning', WORKER] as const

/** In its own pid namespace if this machine allows that; else under a holder that says so. */
function startContainer(file: string): Worker {
  const [unshare, ...flags] = UNSHARE
  const isPossible = spawnSync(unshare, [...flags, 'true'], { stdio: 'ignore' }).status === 0
  return isPossible ? startProgram([...UNSHARE, ...NODE, file, 'here']) : startProgram([...NODE, file, 'elsewhere'])
}

describe('J5: a container that was killed with open reservations', () => {
  it('gets its budget back a minute after a restart on its volume, with the old calls charged', async () => {
    const file = join(createTemporaryFolder(), 'ledger.db')
    const container = startContainer(file)
    const { kind, holder } = (await container.next()) as { kind: string; holder: string }
    expect([kind, isHolderAlive(holder)]).toEqual(['granted', null])
    await container.kill()
    // Its process is gone, which cannot be seen from outside.
    expect(isHolderAlive(holder)).toBe(null)

    const store = createSqliteStore({ file })
    onTestFinished(() => store.dispose())
    const clock = createManualClock({ wallMs: Date.now() })
    const governor = createGovernor({ store, clock })
    onTestFinished(() => governor.close())
    const team = await governor.budget('team')
    const next = () => governor.open({ name: 'next', within: team, waitMs: 0 })
    await expect(next()).rejects.toMatchObject({ code: 'limit_exceeded' })

    const tokens = async () => (await store.read({ scopeId: 'team', atMs: clock.wallMs() }))!.at(-1)!.totals.tokens
    expect(await tokens()).toEqual({ settled: 0, reserved: 90 })
    // A look after the other, each when the last has its answer.
    const looked = async () => {
      await clock.advance(500)
      return tokens()
    }
    await expect.poll(looked, { interval: 1, timeout: 60_000 }).toEqual({ settled: 90, reserved: 0 })
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(60_000)
    await expect(next()).resolves.toMatchObject({ name: 'next' })
    expect(verifyLedger(file).problems).toEqual([])
  })
})
