import type { Reporter, TestModule } from 'vitest/node'

interface TestCounts {
  passed: number
  failed: number
  skipped: number
}

/** The run in one line that programs can read. A file or run that broke outside of its tests counts as one failure. */
function closingLine(testModules: readonly TestModule[], unhandledErrorCount: number): string {
  const counts: TestCounts = { passed: 0, failed: unhandledErrorCount, skipped: 0 }
  for (const testModule of testModules) countModule(testModule, counts)
  const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`
  return `${counts.passed} passed, ${counts.failed} failed${skipped}`
}

function countModule(testModule: TestModule, counts: TestCounts): void {
  const failedBefore = counts.failed
  for (const testCase of testModule.children.allTests()) {
    const { state } = testCase.result()
    if (state === 'passed') counts.passed += 1
    else if (state === 'failed') counts.failed += 1
    else counts.skipped += 1
  }
  if (!testModule.ok() && counts.failed === failedBefore) counts.failed += 1
}

/** Stands after the default reporter in vitest.config.ts, so that its line is the last one. */
export function createClosingLineReporter(): Reporter {
  return {
    onTestRunEnd(testModules, unhandledErrors, reason) {
      const line = closingLine(testModules, unhandledErrors.length)
      process.stdout.write(`\n${line}\n`)
      if (reason === 'interrupted') process.stdout.write('(interrupted: not every test ran)\n')
    },
  }
}
