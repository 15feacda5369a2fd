import { isOneOf } from '../../core/checks/is-one-of.ts'
import { printable } from '../../core/checks/printable.ts'
import { InvalidOptionError, KEY_ROLES, type KeyRecord } from '../../core/index.ts'
import { findScope } from '../../operate/find/find-scope.ts'
import {
  createKey as create,
  findKey,
  keyListView,
  keyView,
  listKeys as list,
  revokeKey as revoke,
} from '../../operate/keys/keys.ts'
import { openServerScope, SERVER_SCOPE_ID } from '../../operate/keys/server-scope.ts'
import type { CommandContext } from '../command-context.ts'
import { durationFromText } from '../flags/duration-from-text.ts'
import { refuseInsideLedger } from '../ledger/refuse-own-run.ts'
import type { Report } from '../output/report.ts'
import { formatTable } from '../output/table.ts'
import { whenText } from '../output/when.ts'
import { baseUrlsAt } from '../serve/base-urls.ts'
import { DEFAULT_HOST, DEFAULT_PORT } from '../serve/default-address.ts'

export interface CreateKeyOptions {
  readonly name?: string
  readonly role?: string
  readonly expires?: string
}

const COLUMNS = [
  'ID',
  { heading: 'SCOPE', shrinksTo: 12 },
  'FOR',
  { heading: 'NAME', shrinksTo: 12 },
  { heading: 'MADE', dropOrder: 1 },
  'STATE',
] as const

/** `stint keys create [SCOPE]`. The key is printed here and stored nowhere. */
export async function createKey(
  context: CommandContext,
  text: string | undefined,
  options: CreateKeyOptions,
): Promise<Report> {
  const { name = null, role, expires } = options
  if (role !== undefined) return createApiKey(context, text ?? null, { ...options, role })
  if (text === undefined) {
    throw new InvalidOptionError('SCOPE', undefined, 'given: the scope that pays, or --role for a key to the dashboard')
  }
  const livesMs = expires === undefined ? null : durationFromText('--expires', expires, 'how long, e.g. 30d or 12h')
  // Only here: the other commands need nothing of the gateway.
  const { createGatewayKey, hashGatewayKey } = await import('../../gateway/keys/index.ts')
  const operator = await context.operator()
  const atMs = operator.nowMs()
  const scope = await findScope(operator, text)
  const key = createGatewayKey()
  const expiresAtMs = livesMs === null ? null : atMs + livesMs
  const record = await create(operator, scope, { hash: hashGatewayKey(key), name, expiresAtMs })
  const baseUrls = baseUrlsAt(`http://${DEFAULT_HOST}:${DEFAULT_PORT}`)
  return {
    json: { key, record: keyView(record, atMs), baseUrls },
    text: `This key spends from ${printable(scope.path)}. It is shown only this once:\n\n  ${key}\n\n${usageText(baseUrls)}`,
  }
}

/** A key for the dashboard and the HTTP API: to a scope and what is below it, or to everything. */
async function createApiKey(
  context: CommandContext,
  text: string | null,
  { name, role, expires }: CreateKeyOptions & { readonly role: string },
): Promise<Report> {
  if (!isOneOf(role, KEY_ROLES)) throw new InvalidOptionError('--role', role, `one of ${KEY_ROLES.join(', ')}`)
  const livesMs = expires === undefined ? null : durationFromText('--expires', expires, 'how long, e.g. 30d or 12h')
  const { createApiKey: newKey, hashGatewayKey } = await import('../../gateway/keys/index.ts')
  const operator = await context.operator({ create: true })
  await refuseInsideLedger(context, operator.store, 'Creating a key for the dashboard')
  const atMs = operator.nowMs()
  if (text === null) await openServerScope(operator.store, atMs)
  const scope = await findScope(operator, text ?? SERVER_SCOPE_ID)
  const key = newKey()
  const expiresAtMs = livesMs === null ? null : atMs + livesMs
  const record = await create(operator, scope, { hash: hashGatewayKey(key), name: name ?? null, role, expiresAtMs })
  const where = text === null ? 'everything' : printable(scope.path)
  return {
    json: { key, record: keyView(record, atMs) },
    text: `This key opens ${where} on the dashboard, as ${role}. It is shown only this once:\n\n  ${key}\n`,
  }
}

function usageText({ anthropic, openai }: ReturnType<typeof baseUrlsAt>): string {
  const rows = [
    ['  Anthropic', `ANTHROPIC_BASE_URL=${anthropic}`, 'ANTHROPIC_API_KEY=KEY', '(header x-api-key)'],
    ['  OpenAI', `OPENAI_BASE_URL=${openai}`, 'OPENAI_API_KEY=KEY', '(header authorization: Bearer KEY)'],
    ['  any', 'next to its own credentials', '', '(header x-stint-key: KEY)'],
  ]
  return `With the gateway of \`stint serve\`:\n${formatTable(['  CLIENT', 'ADDRESS', 'KEY', ''], rows)}`
}

/** `stint keys list`. */
export async function listKeys(context: CommandContext): Promise<Report> {
  const nowMs = context.platform.nowMs()
  const found = await list(await context.operator())
  const rows = (): string[][] =>
    found.keys.map((key) => {
      const { id, scopeId, name, role = 'gateway', createdBy, createdAtMs } = key
      const scopePath = scopeId === SERVER_SCOPE_ID ? '(everything)' : key.scopePath
      const made = `${whenText(createdAtMs, nowMs)} by ${createdBy ?? 'someone'}`
      return [id, scopePath, role, name ?? '–', made, stateText(key, nowMs)].map(printable)
    })
  const none = 'No keys. To create one: stint keys create SCOPE'
  return {
    json: () => keyListView(found, nowMs),
    text: () => (found.keys.length === 0 ? none : formatTable(COLUMNS, rows(), context.width)),
  }
}

/** `stint keys revoke ID`. */
export async function revokeKey(context: CommandContext, text: string): Promise<Report> {
  const nowMs = context.platform.nowMs()
  const operator = await context.operator()
  const { key, isNew } = await revoke(operator, await findKey(operator, text))
  const done = isNew ? 'Revoked' : `Already revoked, ${whenText(key.revokedAtMs!, nowMs)} by ${key.revokedBy}:`
  return { json: { record: keyView(key, nowMs), isNew }, text: printable(`${done} ${key.id} of ${key.scopePath}.`) }
}

function stateText(key: KeyRecord, nowMs: number): string {
  const { expiresAtMs, revokedAtMs, revokedBy } = key
  if (revokedAtMs !== null) return `revoked ${whenText(revokedAtMs, nowMs)} by ${revokedBy ?? 'someone'}`
  if (expiresAtMs === null) return 'good'
  const when = whenText(expiresAtMs, nowMs)
  return expiresAtMs <= nowMs ? `expired ${when}` : `good, expires ${when}`
}
