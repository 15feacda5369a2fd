import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'core/index': 'src/core/index.ts',
    'policy/index': 'src/policy/index.ts',
    'pricing/index': 'src/pricing/index.ts',
    'stores/memory/index': 'src/stores/memory/index.ts',
    'stores/sqlite/index': 'src/stores/sqlite/index.ts',
    'observe/jsonl-sink/index': 'src/observe/jsonl-sink/index.ts',
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
    'cli/stint': 'src/cli/stint.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  dts: true,
  clean: true,
  fixedExtension: false,
})
