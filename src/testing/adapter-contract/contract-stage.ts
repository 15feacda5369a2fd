import type { LedgerStore, StintEvent } from '../../core/index.ts'
import { createGovernor, type Governor, type OpenSpec, type Scope } from '../../governor/index.ts'
import { createPriceBook, parsePrices } from '../../pricing/index.ts'
import { createScriptedModel, type ScriptedModel } from '../../scripted/scripted-model.ts'
import type { Script, ScriptedMessage, ScriptedTurn } from '../../scripted/scripted-types.ts'
import { createMemoryStore } from '../../stores/memory/index.ts'
import { createManualClock, type ManualClock } from '../manual-clock.ts'
import type { AdapterUnderTest, ContractAgent, ContractRun, ContractTool } from './adapter-under-test.ts'

/** The setup of a test: an agent whose model follows a script. */
export interface Play extends Partial<Omit<ContractAgent, 'scope' | 'model' | 'tools'>> {
  readonly script: Script
  readonly limits?: OpenSpec['limits']
  readonly onLimit?: OpenSpec['onLimit']
  readonly tools?: readonly ContractTool[]
}

/** A running setup: everything that a test may check, as the provider and the tools saw it. */
export interface Stage {
  readonly governor: Governor
  readonly store: LedgerStore
  readonly clock: ManualClock
  readonly scope: Scope
  readonly model: ScriptedModel
  readonly agent: ContractAgent
  /** The arguments of each tool call that ran. */
  readonly ran: readonly unknown[]
  run(): Promise<ContractRun>
  /** Runs another agent with the same adapter. */
  runOther(agent: ContractAgent): Promise<ContractRun>
  resume(scope?: Scope): Promise<ContractRun>
  /** The events so far, after pending ones were delivered. */
  events(): Promise<readonly StintEvent[]>
}

const PRICES = createPriceBook({
  overrides: parsePrices({ 'contract-model': { input: 1, output: 5, webSearch: 0.01 } }),
})

/** Sets up a test for an adapter. */
export async function stageFor(adapter: AdapterUnderTest, isStreaming: boolean, play: Play): Promise<Stage> {
  const { script, limits, onLimit, tools, ...more } = play
  const clock = createManualClock()
  const events: StintEvent[] = []
  let ids = 0
  const store = createMemoryStore()
  const governor = createGovernor({
    clock,
    store,
    prices: PRICES,
    createId: () => `id-${++ids}`,
    onEvent: (event) => void events.push(event),
  })
  const scope = await governor.open({
    name: 'run',
    ...(limits === undefined ? {} : { limits }),
    ...(onLimit === undefined ? {} : { onLimit }),
  })
  const model = createScriptedModel(script, { clock })
  const ran: unknown[] = []
  const agent: ContractAgent = {
    scope,
    model,
    modelId: 'contract-model',
    instructions: 'You are a careful reader.',
    prompt: 'Read the files.',
    isStreaming,
    repeatGuard: false,
    maxRetries: 0,
    maxOutputTokens: 1_000,
    tools: (tools ?? [readTool()]).map((tool) => recorded(tool, ran)),
    ...more,
  }
  return {
    governor,
    store,
    clock,
    scope,
    model,
    agent,
    ran,
    run: () => adapter.run(agent),
    runOther: (other) => adapter.run(other),
    resume: (found = scope) => adapter.resume({ ...agent, scope: found }),
    async events() {
      for (let turn = 0; turn < 25; turn++) await new Promise((resolve) => setImmediate(resolve))
      return events
    },
  }
}

function recorded(tool: ContractTool, ran: unknown[]): ContractTool {
  return {
    ...tool,
    execute(input, options) {
      ran.push(input)
      return tool.execute(input, options)
    },
  }
}

/** A tool whose results differ only in its arguments. */
export function readTool(more: Partial<ContractTool> = {}): ContractTool {
  return { name: 'read', execute: (input) => `text of ${JSON.stringify(input)}`, ...more }
}

/** A model that calls tools forever, with the same or with always different arguments. */
export function loopsForEver(calls = 1, isNewEachTime = true, more: Partial<ScriptedTurn> = {}): Script {
  return function* () {
    let count = 0
    for (;;) {
      const path = () => (isNewEachTime ? `file-${++count}` : 'same')
      const toolCalls = Array.from({ length: calls }, () => ({ name: 'read', arguments: { path: path() } }))
      yield { text: 'Found so far: x. ', toolCalls, strayMarkup: true, ...more }
    }
  }
}

/** The tool results in the last request, in order. */
export function resultsIn({ book }: ScriptedModel): readonly string[] {
  const messages: readonly ScriptedMessage[] = book.at(-1)?.request.messages ?? []
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
}
