// The whole suite on a busy machine: npm run test:busy [-- VITEST ARGUMENTS]. Eight loops keep every core busy meanwhile:
// a test that fails only here depends on an idle machine, or the product does.
import { spawn, spawnSync } from 'node:child_process'

const LOOPS = 8
// A loop ends with this process, however this one ends.
const BUSY = `const parent = process.ppid; while (process.ppid === parent) for (let turn = 0; turn < 1e7; turn++);`

const loops = Array.from({ length: LOOPS }, () => spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' }))
const args = ['run', 'test:run', '--', ...process.argv.slice(2)]
const { status } = spawnSync('npm', args, { stdio: 'inherit' })
for (const loop of loops) loop.kill('SIGKILL')
process.exitCode = status ?? 1
