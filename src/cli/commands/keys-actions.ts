import { randomUUID } from 'node:crypto'
import { isEnded, type KeyRecord, type LedgerStore, StintError } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import type { CommandContext } from '../command-context.ts'
import { findById } from '../ledger/find-by-id.ts'
import { findScope } from '../ledger/find-scope.ts'
import type { Report } from '../output/report.ts'
import { formatTable } from '../output/table.ts'
import { whenText } from '../output/when.ts'
import { baseUrlsAt } from '../serve/base-urls.ts'
import { DEFAULT_HOST, DEFAULT_PORT } from '../serve/default-address.ts'
import { durationFromText } from './duration-from-text.ts'

export interface CreateKeyOptions {
  readonly name?: string
  readonly expires?: string
}

const MOST_KEYS = 10_000
const COLUMNS = [
  'ID',
  { heading: 'SCOPE', shrinksTo: 12 },
  { heading: 'NAME', shrinksTo: 12 },
  { heading: 'MADE', dropOrder: 1 },
  'STATE',
] as const

/** `stint keys create SCOPE`. The key is in this answer and nowhere else. */
export async function createKey(context: CommandContext, text: string, options: CreateKeyOptions): Promise<Report> {
  const { platform, by } = context
  const { name = null, expires } = options
  const livesMs = expires === undefined ? null : durationFromText('--expires', expires, 'how long, e.g. 30d or 12h')
  // Only here: the other commands need nothing of the gateway.
  const { createGatewayKey, hashGatewayKey } = await import('../../gateway/keys/index.ts')
  const store = await context.store()
  const atMs = platform.nowMs()
  const scope = await findScope(store, text, atMs)
  if (isEnded(scope.status)) throw endedScope(scope.path)
  const key = createGatewayKey()
  const expiresAtMs = livesMs === null ? null : atMs + livesMs
  const request = { keyId: randomUUID(), scopeId: scope.id, hash: hashGatewayKey(key), name, expiresAtMs, by, atMs }
  const outcome = await store.addKey(request)
  if (outcome.kind === 'closed') throw endedScope(scope.path)
  if (outcome.kind !== 'added') throw new Error('a new key is like one that is there')
  const baseUrls = baseUrlsAt(`http://${DEFAULT_HOST}:${DEFAULT_PORT}`)
  return {
    json: { key, record: keyJson(outcome.key, atMs), baseUrls },
    text: `This key spends from ${printable(scope.path)}. It is shown only this once:\n\n  ${key}\n\n${usageText(baseUrls)}`,
  }
}

function usageText({ anthropic, openai }: ReturnType<typeof baseUrlsAt>): string {
  const rows = [
    ['  Anthropic', `ANTHROPIC_BASE_URL=${anthropic}`, 'ANTHROPIC_API_KEY=KEY', '(header x-api-key)'],
    ['  OpenAI', `OPENAI_BASE_URL=${openai}`, 'OPENAI_API_KEY=KEY', '(header authorization: Bearer KEY)'],
    ['  any', 'beside credentials of its own', '', '(header x-stint-key: KEY)'],
  ]
  return `With the gateway of \`stint serve\`:\n${formatTable(['  CLIENT', 'ADDRESS', 'KEY', ''], rows)}`
}

function endedScope(path: string): StintError {
  return new StintError('scope_closed', `"${path}" has ended: a key for it would open nothing.`)
}

/** `stint keys list`. */
export async function listKeys(context: CommandContext): Promise<Report> {
  const nowMs = context.platform.nowMs()
  const keys = await (await context.store()).keys({ most: MOST_KEYS })
  const json = { keys: keys.map((key) => keyJson(key, nowMs)), isTruncated: keys.length >= MOST_KEYS }
  if (keys.length === 0) return { json, text: 'No keys. To make one: stint keys create SCOPE' }
  const rows = keys.map((key) => {
    const { id, scopePath, name, createdBy, createdAtMs } = key
    const made = `${whenText(createdAtMs, nowMs)} by ${createdBy ?? 'somebody'}`
    return [id, scopePath, name ?? '–', made, standingText(key, nowMs)].map(printable)
  })
  return { json, text: formatTable(COLUMNS, rows, context.width) }
}

/** `stint keys revoke ID`. */
export async function revokeKey(context: CommandContext, text: string): Promise<Report> {
  const { platform, by } = context
  const store = await context.store()
  const { id, scopePath } = await findKey(store, text)
  const outcome = await store.revokeKey({ keyId: id, by, atMs: platform.nowMs() })
  if (outcome.kind === 'unknown') throw new StintError('unknown_key', `The key ${id} is not there any more.`)
  const { key } = outcome
  const isNew = outcome.kind === 'revoked'
  const said = isNew
    ? 'Revoked'
    : `Revoked before, ${whenText(key.revokedAtMs!, platform.nowMs())} by ${key.revokedBy}:`
  return { json: { record: keyJson(key, platform.nowMs()), isNew }, text: printable(`${said} ${id} of ${scopePath}.`) }
}

async function findKey(store: LedgerStore, text: string): Promise<KeyRecord> {
  const remedy = '`stint keys list` lists them.'
  return findById(await store.keys({ most: MOST_KEYS }), text, { code: 'unknown_key', what: 'key', remedy })
}

type KeyState = 'good' | 'expired' | 'revoked'

function stateOf({ revokedAtMs, expiresAtMs }: KeyRecord, nowMs: number): KeyState {
  if (revokedAtMs !== null) return 'revoked'
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'expired' : 'good'
}

function standingText(key: KeyRecord, nowMs: number): string {
  const { expiresAtMs, revokedAtMs, revokedBy } = key
  if (revokedAtMs !== null) return `revoked ${whenText(revokedAtMs, nowMs)} by ${revokedBy ?? 'somebody'}`
  if (expiresAtMs === null) return 'good'
  const when = whenText(expiresAtMs, nowMs)
  return expiresAtMs <= nowMs ? `expired ${when}` : `good, expires ${when}`
}

/** A key as `--json` shows it: not even its hash. */
function keyJson({ hash: _, ...key }: KeyRecord, nowMs: number): object {
  return { ...key, state: stateOf({ hash: '', ...key }, nowMs) }
}
