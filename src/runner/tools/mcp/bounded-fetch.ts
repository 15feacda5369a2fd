// Each answer is held in memory.
const LONGEST_ANSWER = 64 * 1024 * 1024

/** `fetch` that fails when an answer is too long. */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (response.body === null) return response
  let length = 0
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      length += chunk.byteLength
      if (length > LONGEST_ANSWER) controller.error(new Error(`The server sent more than ${LONGEST_ANSWER} bytes.`))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(bound), { status, statusText, headers })
}
