import { join } from 'node:path'
import { REPOSITORY } from '../house/repository.ts'
import { runProgramOrThrow } from '../house/run-program.ts'
import { staleBuild } from './stale-build.ts'

// What the programs of tests import. A worker that is killed leaves nothing in the cache for the next one.
const ROOMS = ['adapters/ai-sdk', 'runner', 'stores/sqlite', 'testing']

/** Before tests that start processes: the program in `dist/` is what the source is now, and the source is compiled. */
export function setup(): void {
  const reason = staleBuild()
  if (reason !== null) {
    console.log(`${reason}: building it`)
    runProgramOrThrow('npm', ['run', 'build'], { cwd: REPOSITORY })
  }
  process.env.NODE_COMPILE_CACHE ??= join(REPOSITORY, 'node_modules/.cache/compile')
  const imports = ROOMS.map((room) => `await import('./src/${room}/index.ts')`).join('\n')
  runProgramOrThrow(process.execPath, ['--input-type=module', '-e', imports], { cwd: REPOSITORY })
}
