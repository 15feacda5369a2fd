import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { SOURCE } from './source-folder.ts'

/** What `npm run sim` printed, and how it ended. */
interface SimulationEnd {
  readonly output: string
  readonly exitCode: number | null
}

/** Runs the simulation in a process of its own: as fast as the product is without a test runner around it. */
export function runSimulation(...flags: readonly string[]): Promise<SimulationEnd> {
  return new Promise((resolve, reject) => {
    const script = join(SOURCE, '..', 'scripts', 'sim.ts')
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...flags])
    let output = ''
    const hear = (chunk: Buffer): void => {
      output += String(chunk)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('error', reject)
    child.on('close', (exitCode) => resolve({ output, exitCode }))
  })
}
