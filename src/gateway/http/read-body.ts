import type { IncomingMessage } from 'node:http'

const EMPTY = Buffer.alloc(0)

/** The whole body; `null` where it is longer than `mostBytes`. Rejects where the client goes away before its end. */
export function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer | null> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > mostBytes) return Promise.resolve(null)
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let bytes = 0
    request.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes > mostBytes) {
        request.pause()
        resolve(null)
        return
      }
      pieces.push(piece)
    })
    request.on('end', () =>
      resolve(pieces.length === 1 ? pieces[0]! : bytes === 0 ? EMPTY : Buffer.concat(pieces, bytes)),
    )
    request.on('error', reject)
    request.on('close', () => {
      if (!request.complete) reject(new Error('The client went away before its request was complete.'))
    })
  })
}
