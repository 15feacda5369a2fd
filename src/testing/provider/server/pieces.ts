import type { StreamPiece } from '../answer/answer.ts'

const PIECES_OF_BODY = 4

/** A JSON body in quarters. Its output counts as written before the first byte. */
export function piecesOfBody(body: string, outputTokens: number): readonly StreamPiece[] {
  const length = Math.ceil(body.length / PIECES_OF_BODY)
  return Array.from({ length: PIECES_OF_BODY }, (_, at) => ({
    text: body.slice(at * length, (at + 1) * length),
    outputTokens,
  }))
}

/** A chunk of bytes, and how much output has been written with it. */
export interface Chunk {
  readonly bytes: Buffer
  readonly outputTokens: number
}

/** The pieces as sent: one by one, or split into chunks of one size. */
export function chunksOf(pieces: readonly StreamPiece[], chunkBytes: number | undefined): readonly Chunk[] {
  const whole = pieces.map(({ text, outputTokens }) => ({ bytes: Buffer.from(text), outputTokens }))
  if (chunkBytes === undefined) return whole
  const size = Math.max(1, chunkBytes)
  const all = Buffer.concat(whole.map(({ bytes }) => bytes))
  const chunks: Chunk[] = []
  let next = 0
  let reached = 0
  let outputTokens = 0
  for (let start = 0; start < all.length; start += size) {
    const end = Math.min(all.length, start + size)
    while (next < whole.length && reached + whole[next]!.bytes.length <= end) {
      reached += whole[next]!.bytes.length
      outputTokens = whole[next]!.outputTokens
      next++
    }
    chunks.push({ bytes: all.subarray(start, end), outputTokens })
  }
  return chunks
}
