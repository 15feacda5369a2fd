import type { ServerResponse } from 'node:http'
import { StintError } from '../../core/index.ts'
import { SAFE_HEADERS } from '../http/send.ts'
import type { Caller } from '../session/caller.ts'
import type { LiveTree } from './live-tree.ts'
import { type Frame, frameBetween, resetFrame } from './stream-frame.ts'

/** Bounds of all streams together; tests take smaller ones. */
export interface StreamBounds {
  readonly streams: number
  readonly streamsOfCaller: number
  /** The least time between two writes to a client. */
  readonly tickMs: number
  readonly pingMs: number
  /** How long a client may take nothing. */
  readonly blockedMs: number
  readonly recheckMs: number
}

const STREAM_BOUNDS: StreamBounds = {
  streams: 1_000,
  streamsOfCaller: 250,
  tickMs: 100,
  pingMs: 15_000,
  blockedMs: 30_000,
  recheckMs: 900,
}

/** Sends the live tree to every client that follows it. */
export interface Streams {
  readonly size: number
  /** `since`: a cursor; `null`: from now. `isGood`: whether the caller may still see anything. */
  open(response: ServerResponse, caller: Caller, since: string | null, isGood: () => Promise<boolean>): Promise<void>
  close(): void
}

interface Stream {
  readonly response: ServerResponse
  readonly caller: Caller
  readonly isGood: () => Promise<boolean>
  /** The version it has been sent. */
  version: number
  blockedAtMs: number | null
  wroteAtMs: number
  /** It stays until its client has taken everything, or has taken nothing for too long. */
  hasEnded: boolean
}

/** A read that takes long is repeated less often, so that it takes at most a fifth of the time. */
const SHARE_OF_TIME = 4

export function createStreams(
  tree: LiveTree,
  onFault: (error: unknown) => void,
  bounds: StreamBounds = STREAM_BOUNDS,
  monotonicMs: () => number = () => performance.now(),
): Streams {
  const streams = new Set<Stream>()
  let timer: NodeJS.Timeout | null = null
  let checkedAtMs = monotonicMs()
  let isClosed = false

  function schedule(delayMs: number): void {
    if (timer !== null || streams.size === 0 || isClosed) return
    timer = setTimeout(() => {
      void tick().then((tookMs) => {
        timer = null
        schedule(Math.max(bounds.tickMs, SHARE_OF_TIME * tookMs))
      })
    }, delayMs)
  }

  /** Returns how long it took. Never rejects. */
  async function tick(): Promise<number> {
    const startMs = monotonicMs()
    try {
      await tree.refresh()
    } catch (error) {
      // The clients stay, and get what they missed when the ledger is back.
      onFault(error)
    }
    await dropEnded()
    const frames = new Map<string, Frame | null>()
    for (const stream of streams) send(stream, frames)
    return monotonicMs() - startMs
  }

  function send(stream: Stream, frames: Map<string, Frame | null>): void {
    const nowMs = monotonicMs()
    if (stream.blockedAtMs !== null) {
      if (nowMs - stream.blockedAtMs > bounds.blockedMs) stream.response.destroy()
      return
    }
    const to = tree.version
    if (stream.version < to) {
      const { scopeId } = stream.caller
      const key = `${stream.version} ${scopeId ?? ''}`
      if (!frames.has(key)) frames.set(key, frameBetween(tree, stream.version, to, scopeId))
      const frame = frames.get(key) ?? null
      if (frame === 'reset') {
        end(stream, resetFrame('More has changed than is kept.'))
        return
      }
      stream.version = to
      if (frame !== null) write(stream, frame)
    }
    if (nowMs - stream.wroteAtMs > bounds.pingMs) write(stream, PING)
  }

  function write(stream: Stream, bytes: Buffer): void {
    stream.wroteAtMs = monotonicMs()
    if (!stream.response.write(bytes)) stream.blockedAtMs = stream.wroteAtMs
  }

  /** Nothing may be written to it any more: Node would raise an error that ends the process. */
  function end(stream: Stream, last?: Buffer): void {
    if (stream.hasEnded) return
    stream.hasEnded = true
    stream.blockedAtMs = monotonicMs()
    stream.response.end(last)
  }

  /** Ends the streams of sessions and keys that have ended. */
  async function dropEnded(): Promise<void> {
    if (monotonicMs() - checkedAtMs < bounds.recheckMs) return
    checkedAtMs = monotonicMs()
    const good = new Map<string, Promise<boolean>>()
    for (const stream of streams) {
      const { id } = stream.caller
      if (!good.has(id)) good.set(id, stream.isGood())
    }
    for (const stream of [...streams]) {
      const isGood = await good.get(stream.caller.id)?.catch(() => true)
      if (isGood === false) end(stream)
    }
  }

  return {
    get size() {
      return streams.size
    },
    async open(response, caller, since, isGood) {
      await tree.refresh()
      if (response.destroyed) return
      // Counted after the wait, so that requests that arrive together are counted too.
      const ofCaller = [...streams].filter((stream) => stream.caller.countedAs === caller.countedAs).length
      if (isClosed || streams.size >= bounds.streams || ofCaller >= bounds.streamsOfCaller) {
        throw new StintError('too_many_streams', 'Too many streams are open.', { retryable: true })
      }
      const version = since === null ? tree.version : tree.versionOf(since)
      response.writeHead(200, HEADERS)
      response.socket?.setNoDelay(true)
      if (version === null || tree.changesAfter(version) === null) {
        response.end(resetFrame('The cursor is of another server, or too old.'))
        return
      }
      response.write(PING)
      await new Promise<void>((resolve) => {
        const stream: Stream = {
          response,
          caller,
          isGood,
          version,
          blockedAtMs: null,
          wroteAtMs: monotonicMs(),
          hasEnded: false,
        }
        streams.add(stream)
        response.on('drain', () => {
          if (!stream.hasEnded) stream.blockedAtMs = null
        })
        response.on('close', () => {
          streams.delete(stream)
          resolve()
        })
        schedule(bounds.tickMs)
      })
    },
    close() {
      isClosed = true
      if (timer !== null) clearTimeout(timer)
      for (const stream of streams) end(stream)
    },
  }
}

const PING = Buffer.from(': \n\n')

const HEADERS = {
  ...SAFE_HEADERS,
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform, no-store',
  'x-accel-buffering': 'no',
} as const
