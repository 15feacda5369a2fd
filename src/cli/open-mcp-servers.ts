import { untrustedPlaces } from '../config/config.ts'
import { HEADER_TEXT_PATTERN } from '../config/header-text-pattern.ts'
import type { McpServerSettings, WrittenText } from '../config/settings/mcp-servers.ts'
import type { RunnerOptions } from '../runner/index.ts'
import type { CommandContext } from './command-context.ts'
import type { Platform } from './platform.ts'

type Servers = Required<Pick<RunnerOptions, 'mcpServers' | 'unusableMcpServers'>>
type Server = Servers['mcpServers'][string]

/** The MCP servers that agents can use, with their environment variables, and why others cannot be used. */
export function openMcpServers({ platform, config }: CommandContext): Servers {
  const { env } = platform
  const read = config()
  const { mcpServers: configured } = read
  const usable: [string, Server][] = []
  const unusable = new Map<string, string>()
  for (const [name, settings] of configured) {
    const reason = missingIn(env, settings)
    if (reason === null) usable.push([name, serverFrom(env, settings)])
    else unusable.set(name, `${reason} (${settings.place})`)
  }
  for (const [name, place] of untrustedPlaces(read, 'mcpServers')) {
    if (configured.has(name)) continue
    const remedy =
      'trust the folder (stint trust), put it into your own config (~/.config/stint/config.yaml), or pass that file: --config FILE'
    unusable.set(name, `a config that was merely found in a folder cannot set up servers (${place}); ${remedy}`)
  }
  return { mcpServers: Object.fromEntries(usable), unusableMcpServers: unusable }
}

/** The environment variables that a server needs. Their values are never shown. */
function missingIn(env: Platform['env'], settings: McpServerSettings): string | null {
  const isHeaders = 'url' in settings
  for (const text of Object.values((isHeaders ? settings.headers : settings.env) ?? {})) {
    if (typeof text === 'string') continue
    const value = env[text.env]
    if (value === undefined || value === '') return `set the environment variable ${text.env}`
    // The client that sends it would show it in an error.
    if (isHeaders && !new RegExp(HEADER_TEXT_PATTERN).test(value))
      return `the value of ${text.env} is not valid in a header`
  }
  return null
}

function serverFrom(env: Platform['env'], settings: McpServerSettings): Server {
  const filled = (texts: Readonly<Record<string, WrittenText>> = {}): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, textFrom(env, text)]))
  if ('url' in settings) return { url: settings.url, type: settings.type ?? 'http', headers: filled(settings.headers) }
  return { command: settings.command, args: settings.args ?? [], env: filled(settings.env) }
}

function textFrom(env: Platform['env'], text: WrittenText): string {
  return typeof text === 'string' ? text : `${text.prefix ?? ''}${env[text.env] ?? ''}`
}
