import { isPlainObject } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import { type Document, fieldName } from '../../documents/index.ts'
import { type Claim, claimFile } from '../../trust/index.ts'
import { placeIn } from './document.ts'

/**
 * What a file may say without being trusted: it can only tighten, or name agents and models that have a price, and each
 * of these is looked at where it is read. A setting that is not here needs trust, also one that is added later.
 */
const FREE_SETTINGS: readonly string[] = [
  '$schema',
  'limits',
  'execution_limits',
  'onLimit',
  'timeZone',
  'ceilings',
  'agents',
  'models',
]

/** Settings of which each name is trusted by itself, so that one that is added asks for no other again. */
const SETTINGS_BY_NAME: readonly string[] = ['prices', 'budgets', 'upstreams', 'providers', 'mcpServers']

/** What a config says that only holds where its folder is trusted with it, but for limits and agents. */
export function configClaims(document: Document): readonly Claim[] {
  const { value } = document
  if (!isPlainObject(value)) return []
  const file = claimFile(document.file)
  return Object.entries(value).flatMap(([setting, said]): readonly Claim[] => {
    if (FREE_SETTINGS.includes(setting)) return []
    if (!SETTINGS_BY_NAME.includes(setting) || !isPlainObject(said)) {
      const place = printable(placeIn(document, setting))
      return [{ ...file, path: [setting], value: said, place, allows: allowsText(setting, null, said) }]
    }
    return Object.entries(said).map(([name, each]) => {
      const place = printable(placeIn(document, fieldName(setting, name)))
      return { ...file, path: [setting, name], value: each, place, allows: allowsText(setting, name, each) }
    })
  })
}

/** The document without what these claims are about. */
export function withoutClaims(document: Document, claims: readonly Claim[]): Document {
  const isClaimed = (...path: readonly string[]): boolean =>
    claims.some((claim) => claim.path.length === path.length && claim.path.every((step, index) => step === path[index]))
  const entries = Object.entries(document.value as Readonly<Record<string, unknown>>)
  const kept = entries.flatMap(([setting, said]): readonly (readonly [string, unknown])[] => {
    if (isClaimed(setting)) return []
    if (!SETTINGS_BY_NAME.includes(setting) || !isPlainObject(said)) return [[setting, said]]
    return [[setting, plainObject(Object.entries(said).filter(([name]) => !isClaimed(setting, name)))]]
  })
  return { ...document, value: plainObject(kept) }
}

/** As a document has its objects: without a prototype, so that no key means anything but itself. */
function plainObject(entries: readonly (readonly [string, unknown])[]): object {
  const object: Record<string, unknown> = Object.create(null)
  for (const [key, value] of entries) object[key] = value
  return object
}

const LONGEST_VALUE = 200

/** What it allows, for a person. Only what can be no secret is shown: of a server neither variables nor headers. */
function allowsText(setting: string, name: string | null, value: unknown): string {
  const field = (key: string): unknown => (isPlainObject(value) ? value[key] : undefined)
  const text = {
    store: () => `keeps the ledger in ${shown(value)}`,
    log: () => (value === false ? 'switches the log off' : `writes the log to ${shown(value)}`),
    onAsk: () => `runs ${shown(value)} when a run asks for more`,
    prices: () => `charges the model ${name} by ${shown(value)}`,
    team: () => `says that your runs are those of the team ${shown(value)}`,
    user: () => `says that your runs are those of the user ${shown(value)}`,
    budgets: () => `gives the budget ${name} the limits ${shown(field('limits'))}`,
    upstreams: () =>
      `sends requests for ${name} to ${shown(field('baseUrl') ?? 'its own address')}, with ${keyText(field)}`,
    providers: () =>
      `sends requests for ${name} to ${shown(field('baseUrl') ?? 'its own address')}, with ${keyText(field)}`,
    mcpServers: () =>
      field('command') === undefined
        ? `calls the MCP server ${name} at ${shown(field('url'))}`
        : `starts the MCP server ${name}: ${commandText(field)}`,
  }[setting]
  return printable(text?.() ?? `sets ${name === null ? setting : fieldName(setting, name)}`)
}

function keyText(field: (key: string) => unknown): string {
  const key = field('apiKeyEnv') ?? field('apiKeyFile')
  return key === undefined ? 'no key of its own' : `the key in ${shown(key)}`
}

/** The whole of it: what is cut off, or pushed out of sight by blanks, runs all the same. */
function commandText(field: (key: string) => unknown): string {
  const words = [field('command'), ...listOf(field('args'))].map((word) => {
    const text = typeof word === 'string' ? word : (JSON.stringify(word) ?? '')
    return /^[\w@%+=:,./-]+$/.test(text) ? text : JSON.stringify(text.replace(/\s+/g, ' '))
  })
  const env = field('env')
  const variables = isPlainObject(env) ? Object.entries(env).map(variableText) : []
  return [...words, ...(variables.length === 0 ? [] : [`with ${variables.join(', ')}`])].join(' ')
}

// They say what a program loads or starts; the others may hold a secret.
const LOADING =
  /^(?:PATH|NODE_OPTIONS|NODE_PATH|BASH_ENV|ENV|PERL5OPT|RUBYOPT|GIT_.*|LD_.*|DYLD_.*|PYTHON.*|npm_config_.*)$/i

function variableText([name, value]: readonly [string, unknown]): string {
  return LOADING.test(name) ? `${name}=${JSON.stringify(value)}` : name
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}
