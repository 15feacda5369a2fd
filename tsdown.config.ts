import { fileURLToPath } from 'node:url'
import { defineConfig, type UserConfig } from 'tsdown'

const SHARED: UserConfig = { format: 'esm', platform: 'node', target: 'node20.19', fixedExtension: false }

const LIBRARY: UserConfig = {
  ...SHARED,
  entry: {
    index: 'src/index.ts',
    'core/index': 'src/core/index.ts',
    'policy/index': 'src/policy/index.ts',
    'pricing/index': 'src/pricing/index.ts',
    'governor/edge': 'src/governor/edge.ts',
    'stores/memory/index': 'src/stores/memory/index.ts',
    'stores/postgres/index': 'src/stores/postgres/index.ts',
    'stores/sqlite/index': 'src/stores/sqlite/index.ts',
    'observe/jsonl-sink/index': 'src/observe/jsonl-sink/index.ts',
    'observe/otel/index': 'src/observe/otel/index.ts',
    'adapters/ai-sdk/index': 'src/adapters/ai-sdk/index.ts',
    'gateway/index': 'src/gateway/index.ts',
    'agents/index': 'src/agents/index.ts',
    'runner/index': 'src/runner/index.ts',
    'testing/index': 'src/testing/index.ts',
    'testing/ai-sdk/index': 'src/testing/ai-sdk/index.ts',
    'testing/provider/index': 'src/testing/provider/index.ts',
    'testing/provider/provider-process': 'src/testing/provider/provider-process.ts',
    // A thread of its own, which src/runner/tools/search/search.ts starts by this name.
    'runner/tools/search-worker': 'src/runner/tools/search/search-worker.ts',
  },
  dts: true,
  clean: true,
}

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

// What src/cli/late stands in for; it says why.
const LATE: ReadonlyMap<string, string> = new Map([
  [file('src/pricing/prices/price-package.ts'), file('src/cli/lazy-packages/price-package.ts')],
  [file('src/gateway/upstream/create-pool.ts'), file('src/cli/lazy-packages/create-pool.ts')],
])

/**
 * The command line, by itself: it starts fast because it is few files, each with what is needed together. A group takes
 * the modules named and all that they import, unless a group before it has them; so no group needs one after it. The
 * licences of what is bundled are in NOTICE.
 */
const PROGRAM: UserConfig = {
  ...SHARED,
  entry: { stint: 'src/cli/stint.ts' },
  outDir: 'dist/cli',
  dts: false,
  deps: { alwaysBundle: ['commander', 'yaml', 'zod/mini'] },
  plugins: [
    {
      name: 'late',
      async resolveId(source, importer) {
        const found = source.startsWith('.') ? await this.resolve(source, importer, { skipSelf: true }) : null
        return found === null ? null : (LATE.get(found.id) ?? null)
      },
    },
  ],
  outputOptions: {
    codeSplitting: {
      groups: [
        // Before anything else: the entry needs no more for --version.
        { name: 'version', priority: 5, test: /package\.json$/ },
        { name: 'compile-cache', priority: 4, test: /src\/cli\/compile-cache\.ts$/ },
        // All that --help and usage errors need.
        { name: 'start', priority: 3, test: /src\/cli\/start\.ts$/ },
        // Everything about a ledger, and what reading a config shares with the rest.
        {
          name: 'ledger',
          priority: 2,
          test: /src\/(core|policy|system|trust|stores(?!\/postgres)|operate)\/|src\/cli\/(answer-command|output\/|ledger\/|flags\/|trust\/left-out)|src\/config\/(collect-problems|find-config-files|invalid-config-error|load-config|path-from|prepare-config)|src\/pricing\/prices\/overrides\/parse-prices/,
        },
        { name: 'yaml', priority: 2, test: /node_modules\/yaml\// },
        { name: 'postgres', priority: 1, test: /src\/stores\/postgres\// },
        { name: 'exec', priority: 1, test: /src\/(cli\/commands\/exec|exec\/index|gateway\/index)\.ts$/ },
      ],
    },
  },
}

export default defineConfig([LIBRARY, PROGRAM])
