import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { LedgerStore } from '../../src/core/index.ts'

const PROGRAM = fileURLToPath(new URL('./remote-store.ts', import.meta.url))

type Operation = 'beat' | 'close' | 'open' | 'reserve' | 'settle' | 'pause' | 'resume'

/** A caller that reserves and settles this many times, one call after the other. */
export interface SpendRequest {
  readonly scopeId: string
  readonly name: string
  readonly calls: number
}

export interface RemoteOrder {
  readonly operation: Operation | 'spend'
  readonly requests: readonly unknown[]
}

/** A store in another process. */
export interface RemoteStore {
  readonly holder: string
  /** Makes all requests at once, and returns their outcomes. */
  run<Op extends Operation>(
    operation: Op,
    requests: readonly Parameters<LedgerStore[Op]>[0][],
  ): Promise<readonly Awaited<ReturnType<LedgerStore[Op]>>[]>
  /** All callers at once; how many calls each of them has settled. */
  spend(requests: readonly SpendRequest[]): Promise<readonly number[]>
  /** Stops it as SIGSTOP does: nothing in it runs until it is continued. */
  freeze(): void
  thaw(): void
  /** Ends it as `kill -9` does; resolves when it is dead. */
  kill(): Promise<void>
}

/** Starts a process with a store on this ledger, a file or the address of a database. It ends with the test. */
export async function startRemoteStore(ledger: string, library: 'own' | 'libsql' = 'own'): Promise<RemoteStore> {
  const flags = ['--disable-warning=ExperimentalWarning', PROGRAM, ledger, library]
  const child = spawn(process.execPath, flags, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const kill = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await once(child, 'exit')
  }
  onTestFinished(kill)
  const answer = async (): Promise<unknown> => JSON.parse((await lines.next()).value ?? 'null')
  const holder = (await answer()) as string
  const ask = (order: RemoteOrder): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify(order)}\n`)
    return answer()
  }
  return {
    holder,
    kill,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    run: ((operation: Operation, requests: readonly unknown[]) => ask({ operation, requests })) as RemoteStore['run'],
    spend: (requests) => ask({ operation: 'spend', requests }) as Promise<readonly number[]>,
  }
}
