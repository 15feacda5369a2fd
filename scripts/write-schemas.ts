import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { configSchema } from '../src/config/config-schema.ts'

import { limitsSchema } from '../src/policy/index.ts'
import { taskSchema } from '../src/runner/tasks/task-schema.ts'
import { withTables } from './config-tables.ts'

// The schemas and the tables in the docs are made from what the parsers use; a test compares the files with what this writes.
const folder = new URL('../schemas/', import.meta.url)
mkdirSync(folder, { recursive: true })
const schemas = {
  'limits.json': limitsSchema(),
  'agent-spawn-params.json': taskSchema(),
  'config.schema.json': configSchema(),
}
for (const [file, schema] of Object.entries(schemas)) {
  writeFileSync(new URL(file, folder), `${JSON.stringify(schema, null, 2)}\n`)
}

const page = new URL('../docs/reference/config.md', import.meta.url)
writeFileSync(page, withTables(readFileSync(page, 'utf8')))
