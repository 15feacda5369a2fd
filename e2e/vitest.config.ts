import { defineConfig } from 'vitest/config'
import { createClosingLineReporter } from '../scripts/closing-line-reporter.ts'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts', 'compare/*.test.ts'],
    reporters: ['default', createClosingLineReporter()],
    allowOnly: false,
    // Each runs programs that take all of a core.
    fileParallelism: false,
    testTimeout: 120_000,
  },
})
