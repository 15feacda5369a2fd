import type { IncomingMessage } from 'node:http'
import { ProviderRefusal } from '../provider-refusal.ts'

const MOST_BYTES = 32 * 1024 * 1024

/** The whole body. Refused as soon as it is too large. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length
    if (bytes > MOST_BYTES) throw new ProviderRefusal(413, 'Request exceeds the maximum size')
    chunks.push(chunk as Buffer)
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}
