import { mkdirSync, writeFileSync } from 'node:fs'
import { configSchema } from '../src/cli/config/config-schema.ts'
import { agentSpawnParamsSchema, limitsSchema } from '../src/policy/index.ts'

// The schemas are made from the parser's own tables; a test compares the files with what this writes.
const folder = new URL('../schemas/', import.meta.url)
mkdirSync(folder, { recursive: true })
const schemas = {
  'limits.json': limitsSchema(),
  'agent-spawn-params.json': agentSpawnParamsSchema(),
  'config.schema.json': configSchema(),
}
for (const [file, schema] of Object.entries(schemas)) {
  writeFileSync(new URL(file, folder), `${JSON.stringify(schema, null, 2)}\n`)
}
