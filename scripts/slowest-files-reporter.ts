import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const SHOWN = 10

/** Names the files that a test run waits for longest: where to look when it gets slow. */
export function createSlowestFilesReporter(): Reporter {
  return {
    onTestRunEnd(testModules) {
      // One file, or a few, are looked at by themselves.
      if (testModules.length <= SHOWN) return
      const lines = testModules
        .map((testModule) => ({ path: relative(process.cwd(), testModule.moduleId), tookMs: tookMs(testModule) }))
        .toSorted((left, right) => right.tookMs - left.tookMs)
        .slice(0, SHOWN)
        .map(({ path, tookMs }) => `${(tookMs / 1_000).toFixed(1).padStart(7)} s  ${path}`)
      process.stdout.write(`\nThe ${SHOWN} slowest files:\n${lines.join('\n')}\n`)
    },
  }
}

function tookMs(testModule: TestModule): number {
  const { collectDuration, duration, setupDuration, environmentSetupDuration, prepareDuration } =
    testModule.diagnostic()
  return collectDuration + duration + setupDuration + environmentSetupDuration + prepareDuration
}
