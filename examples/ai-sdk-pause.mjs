// A run that pauses at a limit, and goes on after a restart: only its id is known there.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jsonSchema, ToolLoopAgent, tool } from 'ai'
import { createGovernor } from 'stint'
import { governed, resumeGoverned, runGoverned } from 'stint/adapters/ai-sdk'
import { createSqliteStore } from 'stint/stores/sqlite'
import { createScriptedLanguageModel } from 'stint/testing/ai-sdk'

const folder = mkdtempSync(join(tmpdir(), 'stint-example-'))
const file = join(folder, 'ledger.db')
const tools = { read: tool({ inputSchema: jsonSchema({ type: 'object' }), execute: async () => 'some text' }) }
const read = (path) => ({ text: `Reading ${path}.`, toolCalls: [{ name: 'read', arguments: { path } }] })

const before = createSqliteStore({ file })
const first = createGovernor({ store: before })
const scope = await first.open({ name: 'triage', limits: { toolCalls: 1 }, onLimit: 'pause' })
const impatient = createScriptedLanguageModel([read('a.ts'), read('b.ts')])
const paused = await runGoverned(scope, new ToolLoopAgent(governed(scope, { model: impatient, tools })), 'Read both.')
console.log(paused.status, paused.partialOutput) // paused Reading b.ts.

// As another process would, with nothing but the id.
const after = createSqliteStore({ file })
const second = createGovernor({ store: after })
const found = await second.find(scope.id)
if (found === null) throw new Error('It is not there.')
await found.setLimits({ toolCalls: 5 }, { by: 'ann' })
const model = createScriptedLanguageModel([read('b.ts'), { text: 'Both read.' }])
const agent = new ToolLoopAgent(governed(found, { model, tools }))
const result = await resumeGoverned(found, agent, { by: 'ann' })
console.log(result.status, result.output) // completed Both read.
console.log(result.usage.toolCalls.settled, 'tool calls in all') // 2 tool calls in all

await second.close()
await first.close()
await Promise.all([before.dispose(), after.dispose()])
rmSync(folder, { recursive: true })
