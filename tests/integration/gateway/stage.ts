import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { onTestFinished } from 'vitest'
import type { Clock, LedgerStore } from '../../../src/core/index.ts'
import {
  type Gateway,
  type GatewayBounds,
  type GatewayCall,
  type GatewayOptions,
  startGateway,
  type Upstream,
} from '../../../src/gateway/index.ts'
import type { Governor, GovernorOptions, OpenSpec, Scope } from '../../../src/governor/index.ts'
import { createGovernor } from '../../../src/governor/index.ts'
import { createMemoryStore } from '../../../src/stores/memory/index.ts'
import {
  createScriptedProvider,
  type ProviderScript,
  type ScriptedProvider,
  type ScriptedProviderOptions,
} from '../../../src/testing/provider/index.ts'

export const KEY = 'run-key-0123456789'

/** A gateway between the official SDKs and a scripted provider. All of it ends with the test. */
export interface Stage {
  readonly provider: ScriptedProvider
  readonly governor: Governor
  readonly run: Scope
  readonly store: LedgerStore
  readonly gateway: Gateway
  readonly calls: readonly GatewayCall[]
  readonly givenUp: readonly string[]
  anthropic(options?: ConstructorParameters<typeof Anthropic>[0]): Anthropic
  openai(options?: ConstructorParameters<typeof OpenAI>[0]): OpenAI
  /** Waits until everything is settled: nothing is in flight any more. */
  settle(): Promise<void>
}

export interface StageOptions extends Partial<Omit<OpenSpec, 'name' | 'within'>> {
  readonly script?: ProviderScript
  readonly provider?: ScriptedProviderOptions
  readonly store?: LedgerStore
  readonly bounds?: Partial<GatewayBounds>
  readonly upstream?: Partial<Upstream>
  readonly admission?: GatewayOptions['admission']
  readonly gateway?: Partial<GatewayOptions>
  readonly onEvent?: GovernorOptions['onEvent']
  /** The governor's; the gateway itself has real time. */
  readonly clock?: Clock
}

export async function startStage(options: StageOptions = {}): Promise<Stage> {
  const {
    script,
    provider: providerOptions,
    store = createMemoryStore(),
    bounds,
    upstream,
    admission,
    onEvent,
    clock,
    gateway: more,
    ...spec
  } = options
  const provider = await createScriptedProvider({ ...providerOptions, ...(script === undefined ? {} : { script }) })
  onTestFinished(() => provider.close())
  const governor = createGovernor({
    graceMs: 200,
    store,
    ...(onEvent === undefined ? {} : { onEvent }),
    ...(clock === undefined ? {} : { clock }),
  })
  const run = await governor.open({ name: 'run', within: null, ...spec })
  const calls: GatewayCall[] = []
  const givenUp: string[] = []
  const gateway = await startGateway({
    upstreams: {
      anthropic: { baseUrl: provider.url, apiKey: null, ...upstream },
      openai: { baseUrl: provider.openaiUrl, apiKey: null, ...upstream },
    },
    admission: admission ?? { scopeOf: async (key) => (key === KEY ? run : null) },
    onCall: (call) => calls.push(call),
    onGiveUp: ({ reason }) => givenUp.push(reason),
    ...(bounds === undefined ? {} : { bounds }),
    ...more,
  })
  onTestFinished(async () => {
    await gateway.close(0)
    await governor.close()
  })
  const shared = { apiKey: 'made-up', maxRetries: 0 }
  return {
    provider,
    governor,
    run,
    store,
    gateway,
    calls,
    givenUp,
    anthropic: (own) => new Anthropic({ baseURL: `${gateway.url}/k/${KEY}/anthropic`, ...shared, ...own }),
    openai: (own) => new OpenAI({ baseURL: `${gateway.url}/k/${KEY}/openai/v1`, ...shared, ...own }),
    settle: () => gateway.close(),
  }
}
