import {
  addressesOf,
  createRuns,
  type EnclosingRun,
  readUpstreams,
  SCOPE_VARIABLE,
  startNestedRunServer,
} from '../../exec/index.ts'
import type { Upstream, Upstreams } from '../../gateway/gateway.ts'
import type { Governor, Scope } from '../../governor/index.ts'
import type { RunPlace } from '../../runner/index.ts'
import { readBaseUrl } from '../../runner/models/base-url.ts'
import { PLACEHOLDER, PROVIDER_NAMES, PROVIDERS, type ProviderName } from '../../system/provider-variables.ts'
import type { CommandContext } from '../command-context.ts'
import { configuredUpstreams } from '../exec/exec-upstreams.ts'
import { nestedRunFacts } from '../exec/nested-run-facts.ts'

export interface RunPlaceOptions {
  readonly governor: Governor
  readonly scope: Scope
  /** The run that this process was started in. */
  readonly enclosing: EnclosingRun | null
  readonly baseUrl: string | null
}

// Its programs have ended: we wait only for the usage of their calls.
const DRAIN_MS = 10_000

/**
 * Makes the programs of an agent's `bash` part of its run: agents among them call models through a gateway that counts
 * on its scope, and a `stint` opens a run inside it. Inside another run, the enclosing gateway serves this purpose.
 */
export async function openRunPlace(context: CommandContext, options: RunPlaceOptions): Promise<RunPlace> {
  const { scope, enclosing } = options
  if (enclosing === null) return openOwnPlace(context, options)
  const { key, token, leave } = await enclosing.enter(scope.id)
  return { env: variablesFor(context, { gatewayUrl: enclosing.gatewayUrl, key, token }), close: leave }
}

async function openOwnPlace(context: CommandContext, options: RunPlaceOptions): Promise<RunPlace> {
  const { governor, scope } = options
  const upstreams = runUpstreams(context, options)
  const runs = createRuns(governor)
  const { onCall, onGiveUp } = runs
  const gateway = await context.platform.startGateway({ upstreams, admission: runs, onCall, onGiveUp })
  try {
    const facts = nestedRunFacts(context.config(), upstreams)
    const nestedRuns = await startNestedRunServer({ runs, gatewayUrl: gateway.url, ...facts })
    const { key } = runs.add(scope, { closesItself: true })
    return {
      env: variablesFor(context, { gatewayUrl: gateway.url, key, token: nestedRuns.tokenFor(scope.id) }),
      async close() {
        await gateway.close(DRAIN_MS)
        await nestedRuns.close()
      },
    }
  } catch (error) {
    await gateway.close(0)
    throw error
  }
}

/** Where the requests of this run itself go: the flag, then the environment, then the config, then the provider's own. */
function runUpstreams(context: CommandContext, { baseUrl }: RunPlaceOptions): Upstreams {
  const { env } = context.platform
  const config = context.config()
  const read = readUpstreams(env, configuredUpstreams(config, env))
  const upstreamOf = (name: ProviderName): Upstream => {
    const isInEnvironment = PROVIDERS[name].addresses.some((variable) => env[variable])
    const configured = isInEnvironment ? null : (config.providers.get(name)?.baseUrl ?? null)
    const address = baseUrl ?? configured
    return address === null ? read[name] : { ...read[name], baseUrl: asUpstream(name, address) }
  }
  return { anthropic: upstreamOf('anthropic'), openai: upstreamOf('openai') }
}

/** The gateway writes the version of Anthropic's API itself. */
function asUpstream(name: ProviderName, address: string): string {
  const url = readBaseUrl('--base-url', address)
  return name === 'anthropic' ? url.replace(/\/v1$/, '') : url
}

interface KnownPlace {
  readonly gatewayUrl: string
  readonly key: string
  readonly token: string
}

/**
 * Every address points at the gateway. Keys are replaced with placeholders, so that programs still choose the same
 * provider.
 */
function variablesFor({ platform }: CommandContext, { gatewayUrl, key, token }: KnownPlace): RunPlace['env'] {
  const addresses = addressesOf(gatewayUrl, key)
  const pairs = PROVIDER_NAMES.flatMap((name) => {
    const held = PROVIDERS[name].keys.filter((each) => platform.env[each.name])
    return [
      ...PROVIDERS[name].addresses.map((variable) => [variable, addresses[name]] as const),
      ...held.map((each) => [each.name, PLACEHOLDER] as const),
    ]
  })
  return { ...Object.fromEntries(pairs), [SCOPE_VARIABLE]: token }
}
