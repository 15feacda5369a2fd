import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { createClosingLineReporter } from './scripts/closing-line-reporter.ts'
import { createPlantedBugPlugin } from './scripts/planted-bug-plugin.ts'
import { createSlowestFilesReporter } from './scripts/slowest-files-reporter.ts'

export default defineConfig({
  plugins: [createPlantedBugPlugin(process.env.STINT_PLANTED_BUG)],
  test: {
    reporters: ['default', createSlowestFilesReporter(), createClosingLineReporter()],
    // A forgotten `only` would quietly leave out every other test.
    allowOnly: false,
    // By default one core is left idle: on two cores that is half of them.
    maxWorkers: availableParallelism(),
    // A bound for what hangs, not for what is slow: on a busy machine a process takes many times as long to start.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    setupFiles: ['tests/setup/every-file.ts'],
    coverage: { include: ['src/**/*.ts'], exclude: ['src/**/*.{test,fixture}.ts'] },
    // They run in the order of their names: the long ones first, so that many short ones fill the end.
    projects: [
      {
        extends: true,
        test: { name: 'process', include: ['tests/**/*.test.ts'], globalSetup: ['tests/setup/before-processes.ts'] },
      },
      // The long part, which `npm run prove` plays.
      { extends: true, test: { name: 'prove', include: ['tests/**/*.prove.ts'] } },
      // These share a process: most of their time was loading the same modules again.
      {
        extends: true,
        test: { name: 'unit', include: ['{src,scripts,bench,e2e/small-budgets,web/src}/**/*.test.ts'], isolate: false },
      },
    ],
  },
})
