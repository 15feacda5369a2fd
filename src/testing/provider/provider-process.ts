// A provider in its own process: node provider-process.ts '{"prepared":{}}' or '{"script":{"kind":"emitWholeCap"}}'.
// Prints one line of JSON with its addresses. Answers each line on stdin with the current book, and exits at the end of
// stdin, so that it never outlives its parent process.
import { createInterface } from 'node:readline'
import { createScriptedProvider } from './create-scripted-provider.ts'
import { createPreparedProvider, type PreparedProviderOptions } from './prepared/create-prepared-provider.ts'
import type { ScriptedProviderOptions } from './scripted-provider.ts'
import { type ScriptData, scriptFromData } from './scripts/script-from-data.ts'

interface ProcessOptions extends Omit<ScriptedProviderOptions, 'script' | 'now'> {
  readonly script?: ScriptData
  readonly prepared?: PreparedProviderOptions
}

const { prepared, script, ...rest }: ProcessOptions = JSON.parse(process.argv[2] ?? '{}')
const print = (value: unknown) => {
  const written = JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each))
  process.stdout.write(`${written}\n`)
}
const provider = prepared
  ? await createPreparedProvider(prepared)
  : await createScriptedProvider({ ...rest, ...(script === undefined ? {} : { script: scriptFromData(script) }) })

print({ url: provider.url, openaiUrl: provider.openaiUrl, pid: process.pid })
for await (const _ of createInterface({ input: process.stdin })) print(bookOf())
await provider.close()

function bookOf(): unknown {
  if (!('book' in provider)) return { answered: provider.answered, costNanoUsd: provider.costNanoUsd }
  const { entries: _, ...totals } = provider.book()
  return { ...totals, mostInFlight: provider.mostInFlight }
}
