import type { IncomingMessage } from 'node:http'

/** The whole body; `null` if it is longer than `mostBytes`. Rejects if the client goes away before its end. */
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
    request.on('end', () => {
      if (pieces.length === 1) return resolve(pieces[0]!)
      const body = Buffer.allocUnsafe(bytes)
      let copied = 0
      for (const piece of pieces) copied += piece.copy(body, copied)
      resolve(body)
    })
    request.on('error', reject)
    request.on('close', () => {
      if (!request.complete) reject(new Error('The client went away before its request was complete.'))
    })
  })
}
