import { hash } from 'node:crypto'
import { createAgingMap, type Steps } from '../../core/index.ts'
import { lookAlikePlaces, quoteAt } from '../../governor/edge.ts'
import { inTurns } from '../../system/index.ts'
import type { LookedThrough, RequestView } from '../request-view.ts'

// Shorter texts are scanned faster than hashed.
const SHORTEST_REMEMBERED = 16_384
const MOST_REMEMBERED = 256
const MOST_PLACES = 10_000
// Scanned in one piece.
const PIECE_CHARACTERS = 32_768

// A conversation sends every result again with each request.
const remembered = createAgingMap<Uint32Array>(MOST_REMEMBERED)

/**
 * The texts of tool results that contain something like our hints, each with its defused replacement. Scanned in steps:
 * a page that an agent reads may consist of nothing else, and must not block other requests.
 */
export async function defusedResults(
  request: Pick<RequestView, 'toolResults' | 'resultTexts' | 'lookedThrough'>,
): Promise<ReadonlyMap<string, string>> {
  const before = request.lookedThrough ?? NOTHING
  if (before.results === request.toolResults.length) return before.defused
  const texts = request.resultTexts(before.results)
  const defused = await inTurns(defuseAll(texts, before.defused))
  request.lookedThrough = { results: request.toolResults.length, defused }
  return defused
}

const NOTHING: LookedThrough = { results: 0, defused: new Map() }

function* defuseAll(texts: readonly string[], before: ReadonlyMap<string, string>): Steps<ReadonlyMap<string, string>> {
  const defused = new Map(before)
  let characters = 0
  for (const text of texts) {
    characters += text.length + 1
    if (characters > PIECE_CHARACTERS) {
      characters = 0
      yield
    }
    const places = yield* placesIn(text)
    if (places.length > 0) defused.set(text, yield* quoteAt(text, places))
  }
  return defused
}

function* placesIn(text: string): Steps<ArrayLike<number>> {
  if (text.length < SHORTEST_REMEMBERED) return yield* lookAlikePlaces(text)
  const digest = hash('sha256', text, 'base64')
  const known = remembered.get(digest)
  if (known !== undefined) return known
  const places = yield* lookAlikePlaces(text)
  if (places.length <= MOST_PLACES) remembered.set(digest, Uint32Array.from(places))
  return places
}
