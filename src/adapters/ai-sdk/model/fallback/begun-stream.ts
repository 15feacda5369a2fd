import type { StreamPart, StreamResult } from '../language-model.ts'

/**
 * A stream that has begun to answer, the parts before included. Throws the error of one that says no before it says
 * anything: until then another model may answer in its place.
 */
export async function begunStream(result: StreamResult): Promise<StreamResult> {
  const reader = result.stream.getReader()
  const early: StreamPart[] = []
  let isOpen = true
  while (isOpen) {
    const { done, value } = await reader.read()
    isOpen = !done && COMES_BEFORE.has(value.type)
    if (done) break
    if (value.type === 'error') {
      // Only what nobody wants any more is left of it.
      reader.cancel().catch(() => {})
      throw value.error
    }
    early.push(value)
  }
  return { ...result, stream: streamOf(early, reader) }
}

const COMES_BEFORE: ReadonlySet<string> = new Set(['stream-start', 'response-metadata', 'raw', 'ping'])

function streamOf(
  early: readonly StreamPart[],
  reader: ReadableStreamDefaultReader<StreamPart>,
): StreamResult['stream'] {
  return new ReadableStream<StreamPart>(
    {
      start(controller) {
        for (const part of early) controller.enqueue(part)
      },
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
