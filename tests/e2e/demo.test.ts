import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BUILT_PROGRAM } from '../house/built-program.ts'
import { findMachineNode } from '../house/machine-node.ts'
import { runProgram } from '../house/run-program.ts'
import { createFolder, removeFolder } from '../house/temporary-folder.ts'

describe('stint demo as a program', () => {
  it.each(['this', 'the machine’s'])(
    'runs on a real ledger without a key, with %s Node',
    (which) => {
      const folder = createFolder({ 'tmp/.keep': '' })
      onTestFinished(() => removeFolder(folder))
      const node = which === 'this' ? process.execPath : findMachineNode(process.env.PATH ?? '')
      const env = { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: join(folder, 'tmp') }
      const { status, stdout, stderr } = runProgram(node, [BUILT_PROGRAM, 'demo', '--fast', '--json'], {
        cwd: folder,
        env,
      })
      expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' })
      const { loop, fanOut, ledger } = JSON.parse(stdout)
      expect(loop).toMatchObject({ status: 'limit-reached', usage: { toolCalls: { settled: 5 } } })
      expect(fanOut.pool.settled).toBeLessThanOrEqual(fanOut.pool.limit)
      expect(ledger).toMatchObject({ ok: true, file: null })
    },
    60_000,
  )
})
