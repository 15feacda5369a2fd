/** One event of a stream of server-sent events. */
export interface ServerEvent {
  readonly id: string | null
  readonly event: string
  readonly data: string
}

/** Reads a stream of server-sent events. `EventSource` would do the same, but it cannot send a header. */
export async function* serverEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + value.replaceAll('\r', '')).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = eventOf(block)
        if (event !== null) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** `null` for a comment that only keeps the connection open. */
function eventOf(block: string): ServerEvent | null {
  let id: string | null = null
  let event = 'message'
  const data: string[] = []
  for (const line of block.split('\n')) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name === 'id') id = value ?? null
    else if (name === 'event') event = value ?? ''
    else if (name === 'data') data.push(value ?? '')
  }
  return data.length === 0 ? null : { id, event, data: data.join('\n') }
}
