import type { Command } from 'commander'
import packageFile from '../../../package.json' with { type: 'json' }
import type { Config } from '../../config/config.ts'
import { type ConfigProblem, InvalidConfigError } from '../../config/invalid-config-error.ts'
import type { UpstreamSettings } from '../../config/settings/providers.ts'
import { printable } from '../../core/checks/printable.ts'
import { codeOf, messageOf } from '../../core/checks/thrown.ts'
import { type LedgerStore, StintError } from '../../core/index.ts'
import type { Gateway, GatewayOptions, Upstreams } from '../../gateway/gateway.ts'
import type { Metrics } from '../../observe/metrics/index.ts'
import { tasksFolder } from '../../operate/tasks/task-folder.ts'
import type { ApiServer } from '../../server/create-server.ts'
import type { CommandContext } from '../command-context.ts'
import { durationFromText } from '../flags/duration-from-text.ts'
import { loadLazyPackages } from '../lazy-packages/lazy-packages.ts'
import { openGovernor } from '../open-governor.ts'
import type { Report } from '../output/report.ts'
import { formatTable } from '../output/table.ts'
import type { Platform } from '../platform.ts'
import { leftOutOfConfig, sayLeftOut } from '../trust/left-out.ts'
import { baseUrlsAt } from './base-urls.ts'
import { type ListenAddress, type ListenFlags, listenAddress } from './listen-address.ts'
import { pagesFolder } from './pages-folder.ts'
import { readCertificate } from './read-certificate.ts'
import { shownUrl } from './shown-url.ts'
import { startWebhooks, webhooksFrom } from './start-webhooks.ts'
import { upstreamsFrom } from './upstreams-from.ts'

export interface ServeFlags extends ListenFlags {
  /** How long requests in flight may take when it is stopped. */
  readonly grace: string
}

/**
 * `stint serve`: runs the dashboard, the HTTP API and the gateway until the process is asked to end. Everything is
 * checked first.
 */
export async function serve(context: CommandContext, flags: ServeFlags, command: Command): Promise<Report> {
  const { platform } = context
  const graceMs = durationFromText('--grace', flags.grace, 'a time, e.g. 30s or 5m')
  const problems: ConfigProblem[] = []
  const address = listenAddress(flags, problems)
  const tls = readCertificate(flags, problems)
  const config = context.config()
  const { missingKeys, notices, unset, ...found } = upstreamsFrom(config, platform.env)
  const isUsable = missingKeys.size === 0 || missingKeys.size < config.upstreams.size
  problems.push(...problemsOfStore(config), ...(isUsable ? [] : missingKeys.values()))
  const webhooks = webhooksFrom(config, platform.env, problems)
  if (problems.length > 0) throw new InvalidConfigError(problems)
  sayLeftOut(context, leftOutOfConfig(context))
  const store = await context.store({ create: true })
  const { governor, close } = openGovernor(config, store, { isHolderAlive: platform.isHolderAlive })
  try {
    const { createKeyAdmission } = await import('../../gateway/keys/index.ts')
    const admission = createKeyAdmission(store, governor)
    loadLazyPackages()
    const upstreams = withoutPlaces(found.upstreams, missingKeys)
    const { host, port, allowedHosts } = address
    // Keys and sessions never travel unencrypted: beyond this machine, the rest is served with encryption only.
    const isShown = address.isLocal || address.proxyName !== null || tls !== null
    const { createMetrics } = await import('../../observe/metrics/index.ts')
    const metrics = createMetrics({ store, nowMs: platform.nowMs, webhooks: webhooks.map(({ name }) => name) })
    governor.on(metrics.listener)
    const api = isShown ? await openApi(context, store, command, metrics) : null
    const gateway = await start(platform, {
      ...{ host, port, allowedHosts, upstreams, admission },
      // Others may serve from the same ledger on other machines.
      sharesConversations: config.store.address.kind === 'postgres',
      ...(api === null ? {} : { otherRequests: api }),
      ...(tls === null ? {} : { tls }),
    })
    api?.listensOn({ ...address, port: gateway.port, isEncrypted: tls !== null })
    const unsetNotices = unset.map(({ place, message }) => printable(`${place}: ${message}`))
    for (const notice of [...notices, ...unsetNotices, ...missingNotices(missingKeys)]) {
      platform.writeError(`stint: ${notice}\n`)
    }
    await sayWhatIsMissing(context, store, { ...address, isShown, hasUpstream: unset.length === 0 })
    const url = shownUrl(gateway.url, address)
    const signIn = signInAddress(url, api?.createLink() ?? null)
    platform.writeOut(
      context.isJson
        ? `${JSON.stringify(startedJson(gateway, { url, config, signIn }))}\n`
        : startedText(url, config, signIn, isShown),
    )
    const stopWebhooks = await startWebhooks(store, webhooks)
    try {
      await untilStopped(platform, gateway, graceMs)
    } finally {
      await stopWebhooks()
    }
  } finally {
    await close()
  }
  return { json: null, text: null, notices: ['The server was stopped.'] }
}

async function openApi(
  context: CommandContext,
  store: LedgerStore,
  command: Command,
  metrics: Metrics,
): Promise<ApiServer> {
  const { platform } = context
  const config = context.config()
  const { createApiServer } = await import('../../server/create-server.ts')
  const { createRunStarter } = await import('./run-starter.ts')
  return createApiServer({
    store,
    version: packageFile.version,
    userName: context.by,
    upstreams: [...config.upstreams.keys()],
    ceilings: config.ceilings,
    tasksFolder: tasksFolder(config),
    pagesFolder: pagesFolder(),
    starter: createRunStarter(context, command),
    metrics,
    isHolderAlive: platform.isHolderAlive,
    nowMs: platform.nowMs,
    onFault: (error) => platform.writeError(`stint: ${printable(messageOf(error))}\n`),
  })
}

interface Served extends ListenAddress {
  readonly isShown: boolean
  readonly hasUpstream: boolean
}

async function sayWhatIsMissing({ platform }: CommandContext, store: LedgerStore, served: Served): Promise<void> {
  const { isShown, isLocal, proxyName, hasUpstream } = served
  const say = (text: string): void => platform.writeError(`stint: ${text}\n`)
  if (!isShown) {
    say('The dashboard and the API are off: beyond this machine they need --tls-cert and --tls-key, or --behind-proxy.')
  }
  const keys = await store.keys({ most: MOST_KEYS })
  if (hasUpstream && keys.every(({ role }) => role !== undefined)) {
    say('There are no valid keys for the gateway yet. To create one: stint keys create SCOPE')
  }
  const takesLinks = isLocal && proxyName === null
  if (isShown && !takesLinks && keys.every(({ role }) => role === undefined)) {
    say(
      'There are no valid keys for the dashboard yet. To create a key for the dashboard: stint keys create --role admin',
    )
  }
}

const MOST_KEYS = 1_000

/** Where a browser signs in; without a token, where it asks for a key. */
function signInAddress(url: string, token: string | null): string {
  return token === null ? `${url}/` : `${url}/#sign-in=${token}`
}

type MissingKeys = ReturnType<typeof upstreamsFrom>['missingKeys']

function missingNotices(missingKeys: MissingKeys): readonly string[] {
  return [...missingKeys].map(([name, { place, message }]) => {
    return printable(
      `${place}: ${message} Until you fix that and restart the gateway, requests for ${name} are refused.`,
    )
  })
}

/** The path and contents of the config are not shown to clients of a gateway. */
function withoutPlaces(upstreams: Upstreams, missingKeys: MissingKeys): Upstreams {
  const unusableUpstreams = [...missingKeys.keys()].map((name) => {
    const unusable = `The gateway has no key for ${name}, so nothing can be sent there. Ask its operator.`
    return [name, { ...upstreams[name], unusable }] as const
  })
  return { ...upstreams, ...Object.fromEntries(unusableUpstreams) }
}

function problemsOfStore({ store }: Config): readonly ConfigProblem[] {
  if (store.address.kind !== 'memory') return []
  const message = 'A ledger in memory starts without keys, so no client could use the gateway. Use a file: sqlite:PATH.'
  return [{ place: store.place, value: 'memory:', message }]
}

async function start(platform: Platform, options: GatewayOptions): Promise<Gateway> {
  try {
    return await platform.startGateway(options)
  } catch (error) {
    const code = codeOf(error)
    const reason = code === null ? undefined : REASONS[code]
    if (reason === undefined) throw error
    const where = `${options.host}:${options.port}`
    throw new StintError('cannot_listen', `The server cannot listen on ${where}: ${reason}`, { cause: error })
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program is using the port. Stop it, or use another port: --port PORT.',
  EADDRNOTAVAIL: 'this machine does not have that address. Choose one that it has: --host ADDRESS.',
  EACCES: 'permission denied. Use a port above 1023: --port PORT.',
}

/** Runs until asked to end. Requests in flight may then finish; the second time they are cut off. */
async function untilStopped(platform: Platform, gateway: Gateway, graceMs: number): Promise<void> {
  const closing: Promise<void>[] = []
  await new Promise<void>((resolve) => {
    const callOff = platform.onStop(() => {
      closing.push(gateway.close(closing.length === 0 ? graceMs : 0))
      if (closing.length > 1) return
      platform.writeError('stint: Stopping after requests in flight finish. Repeat to cut them off.\n')
      void closing[0]!
        .catch(() => {})
        .then(() => {
          callOff()
          resolve()
        })
    })
  })
  await Promise.all(closing)
}

const TITLES = { anthropic: 'Anthropic', openai: 'OpenAI' } as const

function startedText(url: string, { upstreams }: Config, signIn: string, isShown: boolean): string {
  const isLink = signIn.includes('#')
  const note = isLink ? '  (works once, for 5 minutes)' : '  (sign in with a key: stint keys create --role viewer)'
  const page = isShown ? `The dashboard is at ${signIn}${note}\n` : ''
  if (upstreams.size === 0) return `${page}The server listens on ${url}\n`
  const addresses = baseUrlsAt(url)
  const rows = [...upstreams].map(([name, settings]) => {
    return [`  ${TITLES[name]}`, addresses[name], '→', settings.baseUrl, `(${keyText(settings)})`]
  })
  return `${page}The gateway listens on ${url}\n${formatTable(['  FOR', 'BASE URL', '', 'PROVIDER', 'KEY'], rows)}\n`
}

function keyText({ key }: UpstreamSettings): string {
  if (key === null) return "the client's own"
  return key.kind === 'variable' ? key.name : printable(key.file)
}

interface Started {
  readonly url: string
  readonly config: Config
  readonly signIn: string
}

/** `url` is where it listens; clients and people use the others. */
function startedJson(gateway: Gateway, { url, config: { upstreams }, signIn }: Started): object {
  const { host, port } = gateway
  const addresses = baseUrlsAt(url)
  const providers = [...upstreams].map(([name, { baseUrl, key }]) => {
    return [name, { baseUrl: addresses[name], upstream: baseUrl, key }]
  })
  return { url: gateway.url, host, port, signIn, providers: Object.fromEntries(providers) }
}
