import type { Pool } from 'undici'
import { type AgingMap, createAgingMap } from '../../core/index.ts'
import {
  isWithoutCount,
  MOST_COUNT_BYTES,
  type TokenCounting,
  tokensOfCount,
} from '../../pricing/estimate/counting/token-counting.ts'
import type { WireRequest } from '../dialects/dialect.ts'
import { createJsonEdits, readJson, spliceBytes } from '../json/index.ts'
import { type AnswerSink, type ExchangeBounds, type SentRequest, startExchange } from './exchange.ts'
import { UNREAD_ANSWER } from './unread-answer.ts'

/** The request to count, and where the call would be sent. */
export interface CountQuestion {
  readonly target: Omit<SentRequest, 'body'>
  readonly counting: TokenCounting
  readonly request: Pick<WireRequest, 'model' | 'body'>
  readonly bounds: ExchangeBounds
  readonly signal: AbortSignal
}

/**
 * Asks the upstream of a call how many tokens its request has. `null` if it does not say; never throws. It costs
 * nothing and is not a model call.
 */
export async function countTokens(question: CountQuestion): Promise<number | null> {
  const { target, request, bounds, signal } = question
  const uncounted = uncountedBy(target.pool)
  if (uncounted.get(request.model) === true || signal.aborted) return null
  const pieces: Buffer[] = []
  let bytes = 0
  const sink: AnswerSink = {
    begin: () => UNREAD_ANSWER,
    write(piece) {
      bytes += piece.length
      if (bytes <= MOST_COUNT_BYTES) pieces.push(piece)
      else exchange.abort(new Error('The token count response is too long.'))
      return true
    },
    onDrain: (callback) => callback(),
    onPiece: () => {},
    client: { isGone: false },
  }
  const exchange = startExchange(countRequest(question), sink, bounds)
  const stop = (): void => exchange.abort(new Error('The count was cancelled.'))
  signal.addEventListener('abort', stop)
  const end = await exchange.end
  signal.removeEventListener('abort', stop)
  if (end.kind === 'refused' && isWithoutCount(end.status)) uncounted.set(request.model, true)
  return end.kind === 'answered' ? tokensOfCount(String(Buffer.concat(pieces))) : null
}

function countRequest({ target, counting, request }: CountQuestion): SentRequest {
  const [path, query] = splitQuery(target.path)
  return {
    ...target,
    path: `${path}${counting.route}${query}`,
    headers: withoutIdempotency(target.headers),
    body: withOnly(request.body, counting.fields),
  }
}

function splitQuery(path: string): readonly [path: string, query: string] {
  const at = path.indexOf('?')
  return at === -1 ? [path, ''] : [path.slice(0, at), path.slice(at)]
}

/** An idempotency key of the call must not be used up by another request. */
function withoutIdempotency(headers: readonly string[]): readonly string[] {
  return headers.filter((_, index) => headers[index & ~1]!.toLowerCase() !== 'idempotency-key')
}

/** A body with only these fields. Their bytes stay unchanged. */
function withOnly(body: Buffer, fields: ReadonlySet<string>): Buffer {
  const { root } = readJson(body, { members: {} })
  const edits = createJsonEdits()
  for (const { key } of root.members) if (!fields.has(key)) edits.removeMember(root, key)
  return spliceBytes(body, edits.toByteEdits())
}

const MOST_UNCOUNTED = 256
const UNCOUNTED = new WeakMap<Pool, AgingMap<true>>()

/**
 * The models that an upstream has no count for: it answered 404 or 405. By model, since an unknown model is a 404 too,
 * and must not keep the others from being counted.
 */
function uncountedBy(pool: Pool): AgingMap<true> {
  const known = UNCOUNTED.get(pool)
  if (known !== undefined) return known
  const models = createAgingMap<true>(MOST_UNCOUNTED)
  UNCOUNTED.set(pool, models)
  return models
}
