import { defineConfig } from 'vitest/config'
import { createClosingLineReporter } from './scripts/closing-line-reporter.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts', 'scripts/**/*.test.ts'],
    reporters: ['default', createClosingLineReporter()],
    // A forgotten `only` would quietly leave out every other test.
    allowOnly: false,
    testTimeout: 60_000,
    hookTimeout: 180_000,
    coverage: { include: ['src/**/*.ts'], exclude: ['src/**/*.{test,fixture}.ts'] },
  },
})
