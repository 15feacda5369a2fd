// The callers of the benchmark, in a process of their own: node load.ts. Each sends its next request after its answer.
import { connect } from 'node:net'
import { percentile } from '../percentiles.ts'
import { messageEnd, requestBytes } from './messages.ts'

/** What is to be sent, by how many and how long. */
export interface Load {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly connections: number
  readonly requests: number
}

/** What came of it. */
export interface LoadResult {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly firstByteMs: number
  readonly failed: number
}

async function run(load: Load): Promise<LoadResult> {
  const request = requestBytes(load.path, load.headers, load.body)
  const wholes: number[] = []
  const firsts: number[] = []
  let left = load.requests
  let failed = 0

  const caller = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let pending: Buffer = Buffer.alloc(0)
      let sentAt = 0
      let hasBody = false
      const socket = connect({ port: load.port, host: '127.0.0.1', noDelay: true })
      const send = (): void => {
        if (left-- <= 0) {
          socket.end()
          resolve()
          return
        }
        hasBody = false
        sentAt = performance.now()
        socket.write(request)
      }
      socket.on('connect', send)
      socket.on('error', reject)
      socket.on('data', (bytes) => {
        pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes])
        const { end, bodyAt } = messageEnd(pending)
        if (!hasBody && bodyAt !== -1 && pending.length > bodyAt) {
          hasBody = true
          firsts.push(performance.now() - sentAt)
        }
        if (end === -1) return
        if (pending.toString('latin1', 9, 12) !== '200') failed++
        wholes.push(performance.now() - sentAt)
        pending = pending.subarray(end)
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

process.on('message', (load: Load) => {
  run(load).then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ error: error.message }),
  )
})
process.on('disconnect', () => process.exit())
process.send?.({ port: 0 })
