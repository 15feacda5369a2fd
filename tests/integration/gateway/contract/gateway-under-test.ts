import { type Breach, type EndStatus, groupStatus, isEnded } from '../../../../src/core/index.ts'
import { type Gateway, type GatewayCall, startGateway } from '../../../../src/gateway/index.ts'
import { edgeOf } from '../../../../src/governor/edge.ts'
import type { Scope } from '../../../../src/governor/index.ts'
import type {
  AdapterUnderTest,
  ContractAgent,
  ContractRun,
} from '../../../../src/testing/adapter-contract/adapter-under-test.ts'
import { createScriptedProvider, type ScriptedProvider } from '../../../../src/testing/provider/index.ts'
import type { Wire } from '../agents.ts'
import { providerTurnOf } from './provider-turn-of.ts'
import { runWireLoop, type WireEnd } from './run-wire-loop.ts'
import { WIRE_CLIENTS } from './wire-client.ts'

/** A gateway on loopback, with a scripted provider behind it, as the contract wants it. */
export interface GatewayUnderTest extends AdapterUnderTest {
  start(): Promise<void>
  close(): Promise<void>
}

/** What the gateway cannot do in any dialect. */
const LACKS = {
  'run-tools': 'since the client runs its tools',
  'guard-repeats': 'since the repeat guard compares results, which the client makes',
  'save-conversation': 'since the client has the conversation, and its request is held while the run is paused',
  'fill-slot': 'since the client’s instructions are sent on byte for byte, with the line behind them',
} as const

const NO_THINKING = { 'bound-thinking': 'since the dialect has no thinking budget' } as const
const NO_SEARCHES = { 'bound-searches': 'since the dialect has no search with a bound' } as const

const LACKS_OF: Readonly<Record<Wire, AdapterUnderTest['lacks']>> = {
  'anthropic-messages': LACKS,
  'openai-chat': { ...LACKS, ...NO_THINKING, ...NO_SEARCHES },
  'openai-responses': { ...LACKS, ...NO_THINKING },
}

interface WireRun {
  readonly agent: ContractAgent
  cutBy: Breach | null
  lastText: string
}

/** One for all runs of a suite: each has a key of its own, and its requests arrive at its own model. */
export function gatewayUnderTest(wire: Wire): GatewayUnderTest {
  const runs = new Map<string, WireRun>()
  const open = new Map<Scope, { running: number; readonly ended: EndStatus[] }>()
  let provider: ScriptedProvider | null = null
  let gateway: Gateway | null = null

  const onCall = ({ runId, cutBy }: GatewayCall): void => {
    for (const run of runs.values()) if (run.agent.scope.id === runId) run.cutBy = cutBy
  }

  return {
    lacks: LACKS_OF[wire]!,
    async start() {
      provider = await createScriptedProvider({
        caching: false,
        // It would count every file alike, whatever is in it.
        counts: ({ body }) => (body.includes('base64') ? { fault: { kind: 'status', status: 500 } } : {}),
        script(request) {
          const { authorization = '', 'x-api-key': key = authorization.replace('Bearer ', '') } = request.headers
          return providerTurnOf(runs.get(String(key))!.agent.model, request)
        },
      })
      gateway = await startGateway({
        upstreams: {
          anthropic: { baseUrl: provider.url, apiKey: null },
          openai: { baseUrl: provider.openaiUrl, apiKey: null },
        },
        admission: { scopeOf: async (key) => runs.get(key.replace(/^key-of-/, ''))?.agent.scope ?? null },
        onCall,
      })
    },
    async close() {
      await gateway?.close(0)
      await provider?.close()
    },
    async run(agent) {
      const { scope } = agent
      const name = `run-${runs.size + 1}`
      const run: WireRun = { agent, cutBy: null, lastText: '' }
      runs.set(name, run)
      const shared = open.get(scope) ?? { running: 0, ended: [] }
      open.set(scope, shared)
      shared.running++
      const end = await runWireLoop(agent, WIRE_CLIENTS[wire], `${gateway!.url}/k/key-of-${name}`, name)
      const became = runOf(run, end)
      shared.running--
      if (became.status === 'paused') return became
      shared.ended.push(became.status as EndStatus)
      const status = groupStatus(shared.ended) as EndStatus
      if (shared.running === 0 && !isEnded(scope.status()))
        await edgeOf(scope).endAs(status, end.error?.message ?? status)
      return became
    },
    resume: () => Promise.reject(new Error('A client of the gateway is not resumed: its request is held.')),
  }
}

/** What became of a run, by what `stint exec` goes by: a limit comes before whatever its client made of it. */
function runOf({ agent: { scope }, cutBy }: WireRun, { text, error }: WireEnd): ContractRun {
  const { breaches, pausedBy } = edgeOf(scope).end()
  const said = text === '' ? null : text
  const rest = { output: null, partialOutput: said, mayBeHalfDone: false }
  if (scope.status() === 'paused') return { status: 'paused', breach: pausedBy?.[0] ?? null, ...rest }
  const breach = breaches?.[0] ?? cutBy
  if (breach !== null) return { status: breach.meter === 'wallTime' ? 'timed-out' : 'limit-reached', breach, ...rest }
  if (error !== null) return { status: 'failed', breach: null, ...rest }
  return { ...rest, status: 'completed', breach: null, output: text, partialOutput: null }
}
