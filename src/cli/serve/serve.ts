import type { Config } from '../../config/config.ts'
import { type ConfigProblem, InvalidConfigError } from '../../config/invalid-config-error.ts'
import type { UpstreamSettings } from '../../config/settings/providers.ts'
import { printable } from '../../core/checks/printable.ts'
import { codeOf } from '../../core/checks/thrown.ts'
import { StintError } from '../../core/index.ts'
import type { Gateway, GatewayOptions, Upstreams } from '../../gateway/gateway.ts'
import type { CommandContext } from '../command-context.ts'
import { durationFromText } from '../flags/duration-from-text.ts'
import { loadLatePackages } from '../late/late-packages.ts'
import { openGovernor } from '../open-governor.ts'
import type { Report } from '../output/report.ts'
import { formatTable } from '../output/table.ts'
import type { Platform } from '../platform.ts'
import { leftOutOfConfig, sayLeftOut } from '../trust/left-out.ts'
import { baseUrlsAt } from './base-urls.ts'
import { type ListenFlags, listenAddress } from './listen-address.ts'
import { upstreamsFrom } from './upstreams-from.ts'

export interface ServeFlags extends ListenFlags {
  /** How long requests in flight may take when it is stopped. */
  readonly grace: string
}

/**
 * `stint serve`: runs a gateway for clients with a key until the process is asked to end. Everything is checked first.
 */
export async function serve(context: CommandContext, flags: ServeFlags): Promise<Report> {
  const { platform } = context
  const graceMs = durationFromText('--grace', flags.grace, 'a time, e.g. 30s or 5m')
  const problems: ConfigProblem[] = []
  const address = listenAddress(flags, problems)
  const config = context.config()
  const { missingKeys, notices, ...found } = upstreamsFrom(config, platform.env)
  const isUsable = missingKeys.size < config.upstreams.size
  problems.push(...problemsOfStore(config), ...found.problems, ...(isUsable ? [] : missingKeys.values()))
  if (problems.length > 0) throw new InvalidConfigError(problems)
  sayLeftOut(context, leftOutOfConfig(context))
  const store = await context.store({ create: true })
  const { governor, close } = openGovernor(config, store, { isHolderAlive: platform.isHolderAlive })
  try {
    const { createKeyAdmission } = await import('../../gateway/keys/index.ts')
    const admission = createKeyAdmission(store, governor)
    loadLatePackages()
    const upstreams = withoutPlaces(found.upstreams, missingKeys)
    const gateway = await start(platform, { ...address, upstreams, admission })
    for (const notice of [...notices, ...missingNotices(missingKeys)]) platform.writeError(`stint: ${notice}\n`)
    if ((await store.keys({ most: 1 })).length === 0) {
      platform.writeError('stint: There are no valid keys yet. To create one: stint keys create SCOPE\n')
    }
    platform.writeOut(
      context.isJson ? `${JSON.stringify(startedJson(gateway, config))}\n` : startedText(gateway, config),
    )
    await untilStopped(platform, gateway, graceMs)
  } finally {
    await close()
  }
  return { json: null, text: null, notices: ['The gateway was stopped.'] }
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
    throw new StintError('cannot_listen', `The gateway cannot listen on ${where}: ${reason}`, { cause: error })
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

function startedText({ url }: Gateway, { upstreams }: Config): string {
  const addresses = baseUrlsAt(url)
  const rows = [...upstreams].map(([name, settings]) => {
    return [`  ${TITLES[name]}`, addresses[name], '→', settings.baseUrl, `(${keyText(settings)})`]
  })
  return `The gateway listens on ${url}\n${formatTable(['  FOR', 'BASE URL', '', 'PROVIDER', 'KEY'], rows)}\n`
}

function keyText({ key }: UpstreamSettings): string {
  if (key === null) return "the client's own"
  return key.kind === 'variable' ? key.name : printable(key.file)
}

function startedJson({ url, host, port }: Gateway, { upstreams }: Config): object {
  const addresses = baseUrlsAt(url)
  const providers = [...upstreams].map(([name, { baseUrl, key }]) => {
    return [name, { baseUrl: addresses[name], upstream: baseUrl, key }]
  })
  return { url, host, port, providers: Object.fromEntries(providers) }
}
