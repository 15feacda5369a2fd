import type { Dialect, WireRequest } from '../dialects/dialect.ts'

/**
 * The latest requests of the conversations that go through a gateway. Each request of an agent repeats the one before it
 * and adds a few messages: what was read of the others is not read again.
 */
export interface RequestMemory {
  /**
   * Reads a request, the same as `dialect.readRequest`: nothing is taken over from an earlier one but for bytes that were
   * compared. Those of another `owner` are not looked at.
   */
  read(dialect: Dialect, owner: string, body: Buffer): WireRequest
}

interface Remembered {
  readonly dialect: Dialect
  readonly owner: string
  readonly request: WireRequest
  readonly bytes: number
}

// A request of fewer messages is read in no time.
const LEAST_MESSAGES = 16
const MOST_REQUESTS = 256
// What a request takes: its body, the body as it was edited, and its texts, of which some may be there in a harmless form.
const COPIES = 4
// An object, or a key with its place, and where it stands in the body.
const BYTES_PER_VALUE = 256

/** Keeps the latest requests, `mostBytes` of them in all. */
export function createRequestMemory(mostBytes: number): RequestMemory {
  // The latest is the last.
  let remembered: Remembered[] = []

  function keep(entry: Remembered, replaced: Remembered | null): void {
    const kept = remembered.filter((each) => each !== replaced)
    kept.push(entry)
    let bytes = kept.reduce((sum, each) => sum + each.bytes, 0)
    let first = 0
    while (bytes > mostBytes || kept.length - first > MOST_REQUESTS) bytes -= kept[first++]!.bytes
    remembered = kept.slice(first)
  }

  return {
    read(dialect, owner, body) {
      const found = findBeginning(remembered, dialect, owner, body)
      const request = found === null ? dialect.readRequest(body) : readAfter(dialect, body, found)
      const { conversation, json } = request
      if (conversation.messages.length < LEAST_MESSAGES) return request
      const bytes = COPIES * body.length + BYTES_PER_VALUE * json.root.values
      // One that has little in common with it, such as a question beside the conversation, does not take its place.
      const isNext = found !== null && found.same * 2 >= found.entry.request.conversation.messages.length
      keep({ dialect, owner, request, bytes }, isNext ? found.entry : null)
      return request
    },
  }
}

interface Beginning {
  readonly entry: Remembered
  readonly same: number
}

function readAfter(dialect: Dialect, body: Buffer, { entry: { request }, same }: Beginning): WireRequest {
  try {
    return dialect.readRequest(body, { request, same })
  } catch {
    // Read as a whole it is refused with its place, or not at all.
    return dialect.readRequest(body)
  }
}

/** The request with which a body has most messages in common. */
function findBeginning(
  remembered: readonly Remembered[],
  dialect: Dialect,
  owner: string,
  body: Buffer,
): Beginning | null {
  let best: Beginning | null = null
  for (const entry of remembered.toReversed()) {
    const least = best?.same ?? 0
    if (entry.dialect !== dialect || entry.owner !== owner) continue
    if (entry.request.conversation.messages.length <= least) continue
    const same = sameMessages(entry.request, body)
    if (same > least) best = { entry, same }
  }
  return best
}

// Enough to tell most conversations apart before their system prompts and tools are compared.
const GLANCE_BYTES = 64

/** How many messages of a request end in bytes that a body has as well, all of them from the first byte on. */
function sameMessages({ body: known, conversation: { messages } }: WireRequest, body: Buffer): number {
  const isSame = (start: number, end: number): boolean =>
    end <= body.length && known.compare(body, start, end, start, end) === 0
  const endOf = (count: number): number => messages[count - 1]!.span.end
  if (messages.length === 0 || !isSame(Math.max(0, endOf(1) - GLANCE_BYTES), endOf(1))) return 0
  if (!isSame(0, endOf(1))) return 0
  // The first `least` are the same, and more than `most` are not.
  let least = 1
  let most = messages.length
  let tried = most
  while (least < most) {
    if (isSame(endOf(least), endOf(tried))) least = tried
    else most = tried - 1
    tried = Math.ceil((least + most) / 2)
  }
  return least
}
