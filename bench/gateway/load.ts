// The callers of the benchmark, in a process of their own: node load.ts. Each sends its next request after its answer.
import { connect } from 'node:net'
import { percentile } from '../percentiles.ts'
import { createConversation } from './conversation.ts'
import { type LargeKind, largeBody } from './large-body.ts'
import { requestBytes } from './messages.ts'
import { readAnswer } from './read-answer.ts'

/** What is to be sent, by how many and how often. */
export interface Load {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly sent: Sent
  readonly connections: number
  readonly requests: number
}

/**
 * The same body each time; the turns of a conversation from one on, which only a single connection has in order; or one
 * large body.
 */
export type Sent =
  | { readonly body: string }
  | { readonly conversation: number; readonly fromTurn: number; readonly resultBytes?: number }
  | { readonly large: LargeKind; readonly bytes: number; readonly number: number }

/** What came of it. */
export interface LoadResult {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly firstByteMs: number
  readonly failed: number
}

async function run(load: Load): Promise<LoadResult> {
  const requestOf = requestsOf(load)
  const wholes: number[] = []
  const firsts: number[] = []
  let sent = 0
  let failed = 0

  const caller = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let answer = readAnswer()
      let sentAt = 0
      const socket = connect({ port: load.port, host: '127.0.0.1', noDelay: true })
      const send = (): void => {
        if (sent >= load.requests) {
          socket.end()
          resolve()
          return
        }
        const request = requestOf(sent++)
        answer = readAnswer()
        sentAt = performance.now()
        socket.write(request)
      }
      socket.on('connect', send)
      socket.on('error', reject)
      socket.on('data', (bytes) => {
        const hadBody = answer.hasBody
        const isWhole = answer.push(bytes)
        if (!hadBody && answer.hasBody) firsts.push(performance.now() - sentAt)
        if (!isWhole) return
        if (answer.status !== '200') failed++
        wholes.push(performance.now() - sentAt)
        send()
      })
    })

  const startedAt = performance.now()
  await Promise.all(Array.from({ length: load.connections }, caller))
  const seconds = (performance.now() - startedAt) / 1_000
  return {
    perSecond: wholes.length / seconds,
    p50Ms: percentile(wholes, 50),
    p99Ms: percentile(wholes, 99),
    firstByteMs: percentile(firsts, 50),
    failed,
  }
}

function requestsOf({ path, headers, sent }: Load): (request: number) => Buffer {
  if ('body' in sent) {
    const bytes = requestBytes(path, headers, sent.body)
    return () => bytes
  }
  if ('large' in sent) {
    const bytes = requestBytes(path, headers, largeBody(sent.large, sent.bytes, sent.number))
    return () => bytes
  }
  const conversation = createConversation(sent.conversation, sent.resultBytes)
  return (request) => requestBytes(path, headers, conversation.bodyOf(sent.fromTurn + request))
}

process.on('message', (load: Load) => {
  run(load).then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ error: error.message }),
  )
})
process.on('disconnect', () => process.exit())
process.send?.({ port: 0 })
