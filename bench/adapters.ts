import { generateText, jsonSchema, stepCountIs, tool } from 'ai'
import { governed } from '../src/adapters/ai-sdk/index.ts'
import { createGovernor } from '../src/governor/index.ts'
import { createScriptedLanguageModel } from '../src/testing/ai-sdk/index.ts'
import type { Script } from '../src/testing/index.ts'
import { nanosecondsPerCall } from './measure.ts'
import { printTable } from './table.ts'

const STEPS = 20
const RUNS = 10
const AMPLE = { toolCalls: 1_000_000, modelCalls: 1_000_000, tokens: 999_999_999_999, time: '10h' } as const

const RESULTS = { 'short results': 'some text', '4 kB results': 'word '.repeat(800) } as const

/** A loop of so many steps, each with a tool call: it ends where `stopWhen` says. */
const endless: Script = function* () {
  for (let step = 1; ; step++) yield { text: 'Reading.', toolCalls: [{ name: 'read', arguments: { path: `${step}` } }] }
}

const inputSchema = jsonSchema<{ path: string }>({ type: 'object', properties: { path: { type: 'string' } } })

function settingsWith(result: string) {
  const tools = { read: tool({ inputSchema, execute: async () => result }) }
  return { model: createScriptedLanguageModel(endless), tools, stopWhen: stepCountIs(STEPS) }
}

async function measure(name: string, result: string): Promise<readonly string[]> {
  const governor = createGovernor()
  const repeat = (once: () => Promise<unknown>) => async (times: number) => {
    for (let time = 0; time < times; time++) await once()
  }
  const bare = () => generateText({ ...settingsWith(result), prompt: 'go' })
  const governedRun = (limits: object) => async () => {
    const scope = await governor.open({ name: 'run', limits })
    await generateText({ ...governed(scope, settingsWith(result)), prompt: 'go' })
    await scope.close()
  }
  const works = [bare, governedRun({}), governedRun(AMPLE)].map(repeat)
  const measured = await nanosecondsPerCall(works, RUNS)
  await governor.close()
  const micros = measured.map((nanoseconds) => nanoseconds / STEPS / 1_000)
  const [unwrapped, unlimited, limited] = micros as [number, number, number]
  const shown = [unwrapped, unlimited - unwrapped, limited - unwrapped].map((each) => each.toFixed(0))
  return [name, ...shown]
}

const rows: (readonly string[])[] = []
for (const [name, result] of Object.entries(RESULTS)) rows.push(await measure(name, result))
printTable(
  `A step (one model call, one tool call) of a loop of ${STEPS}, µs: the AI SDK alone, and what is added`,
  ['conversation', 'unwrapped', '+ no limits', '+ 4 limits'],
  rows,
)
