import type { Dialect, WireRequest } from '../dialects/dialect.ts'

/**
 * The latest requests of the conversations that pass through a gateway. Each request of an agent repeats the previous
 * one and adds a few messages: what was already read is not read again.
 */
export interface RequestMemory {
  /**
   * Reads a request, with the same result as `dialect.readRequest`: only bytes that were compared are taken from an
   * earlier one. Requests of another `owner` are not considered.
   */
  read(dialect: Dialect, owner: string, body: Buffer): WireRequest
}

interface Remembered {
  readonly dialect: Dialect
  readonly owner: string
  readonly request: WireRequest
  readonly bytes: number
}

// A request with fewer messages is read in no time.
const LEAST_MESSAGES = 16
const MOST_REQUESTS = 256
// The memory of a request: its body, the edited body, and its texts, some of them also in defused form.
const COPIES = 4
// An object, or a key with its place, and its position in the body.
const BYTES_PER_VALUE = 256

/** Keeps the latest requests, up to `mostBytes` in total. */
export function createRequestMemory(mostBytes: number): RequestMemory {
  // The latest is last.
  const remembered: Remembered[] = []
  let rememberedBytes = 0

  function forget(place: number): void {
    const [gone] = remembered.splice(place, 1)
    rememberedBytes -= gone!.bytes
  }

  return {
    read(dialect, owner, body) {
      const found = findBeginning(remembered, dialect, owner, body)
      const request = found === null ? dialect.readRequest(body) : readAfter(dialect, body, found)
      const { conversation, json } = request
      if (found?.isLast === true) {
        forget(remembered.indexOf(found.entry))
      } else if (conversation.messages.length < LEAST_MESSAGES) return request
      const bytes = COPIES * body.length + BYTES_PER_VALUE * json.root.values
      remembered.push({ dialect, owner, request, bytes })
      rememberedBytes += bytes
      while (rememberedBytes > mostBytes || remembered.length > MOST_REQUESTS) forget(0)
      return request
    },
  }
}

interface Beginning {
  readonly entry: Remembered
  readonly same: number
  /** It replaces that request, unlike one that has little in common with it: a side request. */
  readonly isLast: boolean
}

function readAfter(dialect: Dialect, body: Buffer, { entry: { request }, same, isLast }: Beginning): WireRequest {
  try {
    return dialect.readRequest(body, { request, same, isLast })
  } catch {
    // Read as a whole, it is either refused with a place, or accepted.
    return dialect.readRequest(body)
  }
}

/** The request that shares the most messages with a body. */
function findBeginning(
  remembered: readonly Remembered[],
  dialect: Dialect,
  owner: string,
  body: Buffer,
): Beginning | null {
  let best: Beginning | null = null
  for (let place = remembered.length - 1; place >= 0; place--) {
    const entry = remembered[place]!
    const least = best?.same ?? 0
    if (entry.dialect !== dialect || entry.owner !== owner) continue
    const { length } = entry.request.conversation.messages
    if (length <= least) continue
    const same = sameMessages(entry.request, body)
    if (same > least) best = { entry, same, isLast: same * 2 >= length }
  }
  return best
}

// Enough to tell most conversations apart before comparing their system prompts and tools.
const GLANCE_BYTES = 64

/** How many messages of a request lie within the bytes that a body shares with it, from the first byte on. */
function sameMessages({ body: known, conversation: { messages } }: WireRequest, body: Buffer): number {
  const { end } = messages[0]!
  const glance = Math.max(0, end - GLANCE_BYTES)
  if (end > body.length || known.compare(body, glance, end, glance, end) !== 0) return 0
  if (known.compare(body, 0, end, 0, end) !== 0) return 0
  // The first `least` are the same, and more than `most` are not.
  let least = 1
  let most = messages.length
  let tried = most
  while (least < most) {
    const [from, to] = [messages[least - 1]!.end, messages[tried - 1]!.end]
    if (to <= body.length && known.compare(body, from, to, from, to) === 0) least = tried
    else most = tried - 1
    tried = Math.ceil((least + most) / 2)
  }
  return least
}
