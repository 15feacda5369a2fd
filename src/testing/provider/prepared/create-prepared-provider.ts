import { type AddressInfo, createServer, type Socket } from 'node:net'
import { assertKnownOptions } from '../assert-known-options.ts'
import { chargeOf } from '../counting/charge.ts'
import type { CountedUsage } from '../counting/counted-usage.ts'
import { type ProviderModel, USUAL_MODELS } from '../counting/provider-model.ts'
import type { ProviderDialectName } from '../provider-request.ts'
import { type PreparedAnswer, prepareAnswers } from './prepared-answers.ts'
import { createFrameReader, type Frame } from './read-frames.ts'

export interface PreparedProviderOptions {
  /** The approximate length of a JSON answer. Default: 2,048. */
  readonly bodyBytes?: number
  /** The model in every answer, and of the price. Default: `claude-sonnet-4-5`. */
  readonly model?: string
  readonly models?: Readonly<Record<string, ProviderModel>>
  /** Reported by every answer. Default: 500 tokens in, 400 out. */
  readonly usage?: Partial<CountedUsage>
  /** The number of text events in a stream. Default: a few, and more for a long one. */
  readonly textEvents?: number
  /** The number of stream events per write. Default: all at once. */
  readonly eventsPerWrite?: number
  readonly host?: string
  readonly port?: number
}

/** A provider that always sends the same answer as fast as possible, to measure what is in front of it. */
export interface PreparedProvider {
  readonly url: string
  readonly openaiUrl: string
  readonly port: number
  /** The number of answers sent. */
  readonly answered: number
  /** Their total cost, with each price class of each answer rounded up. */
  readonly costNanoUsd: number
  close(): Promise<void>
}

const OPTIONS = {
  bodyBytes: true,
  model: true,
  models: true,
  usage: true,
  textEvents: true,
  eventsPerWrite: true,
  host: true,
  port: true,
} as const
const NOT_FOUND = Buffer.from('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')
const STREAM_ON = /"stream"\s*:\s*true/

/** Listens on loopback. Checks nothing, reads as little as possible and keeps no requests. */
export async function createPreparedProvider(options: PreparedProviderOptions = {}): Promise<PreparedProvider> {
  assertKnownOptions('createPreparedProvider', options, OPTIONS)
  const {
    host = '127.0.0.1',
    port = 0,
    bodyBytes = 2_048,
    model = 'claude-sonnet-4-5',
    models = USUAL_MODELS,
  } = options
  const usage = { ...USUAL_USAGE, ...options.usage }
  const { textEvents, eventsPerWrite } = options
  checkCounts({ textEvents, eventsPerWrite })
  const answers = prepareAnswers({ model, bodyBytes, usage, textEvents, eventsPerWrite })
  const price = models[model]?.price
  const eachNanoUsd = price === undefined ? 0 : chargeOf(price, usage).nanoUsd
  const sockets = new Set<Socket>()
  let answered = 0

  const answer = (socket: Socket, { head, body }: Frame) => {
    const dialect = dialectOf(head)
    if (dialect === null) {
      socket.write(NOT_FOUND)
      return
    }
    answered++
    const prepared = answers[dialect]
    if (!isStream(body)) socket.write(prepared.json)
    else if (eventsPerWrite === undefined) socket.write(prepared.stream)
    else writeInTurn(socket, prepared)
  }

  const server = createServer({ noDelay: true }, (socket) => {
    const read = createFrameReader()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.on('data', (bytes) => {
      try {
        for (const frame of read(bytes)) answer(socket, frame)
      } catch {
        socket.destroy()
      }
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, 1_024, resolve)
  })
  const address = server.address() as AddressInfo
  const url = `http://${host}:${address.port}`
  return {
    url,
    openaiUrl: `${url}/v1`,
    port: address.port,
    get answered() {
      return answered
    },
    get costNanoUsd() {
      return answered * eachNanoUsd
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

const USUAL_USAGE: CountedUsage = {
  inputTokens: 500,
  outputTokens: 400,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
  reasoningTokens: 0,
  webSearches: 0,
}

function checkCounts(counts: Readonly<Record<string, number | undefined>>): void {
  for (const [name, count] of Object.entries(counts)) {
    if (count === undefined || (Number.isSafeInteger(count) && count > 0)) continue
    throw new RangeError(`createPreparedProvider: ${name} is ${count}. Write a whole number of at least 1.`)
  }
}

function dialectOf(head: string): ProviderDialectName | null {
  const path = head.slice(0, head.indexOf('\r\n'))
  if (path.includes('/v1/messages')) return 'anthropic-messages'
  if (path.includes('/chat/completions')) return 'openai-chat'
  return path.includes('/v1/responses') ? 'openai-responses' : null
}

// Searches for the field first: most bodies don't have it.
function isStream(body: Buffer): boolean {
  const at = body.lastIndexOf('"stream"')
  return at !== -1 && STREAM_ON.test(body.toString('latin1', at, at + 32))
}

function writeInTurn(socket: Socket, { writes }: PreparedAnswer): void {
  let next = 0
  const write = () => {
    if (socket.destroyed) return
    socket.write(writes[next]!)
    if (++next < writes.length) setImmediate(write)
  }
  write()
}
