import { createAnswerCollector } from './answer-collector.ts'
import type { AnswerSteps } from './call-governed.ts'
import type { StreamPart } from './language-model.ts'

type FinishPart = Extract<StreamPart, { readonly type: 'finish' }>

/**
 * A stream that its reader sees as one, though it may come from two calls: work that was stopped, and its closing call.
 */
export interface Relay {
  readonly stream: ReadableStream<StreamPart>
  /**
   * Passes a source on, whether or not it is read, and returns how it finished; `null` if it did not say. A source that
   * is held back only goes to `onPart`. Throws the source's errors, and the reason of the signal.
   */
  pump(
    source: ReadableStream<StreamPart>,
    signal: AbortSignal,
    onPart: (part: StreamPart) => void,
    options?: { readonly isHeldBack: boolean },
  ): Promise<FinishPart | null>
  /** Whether its reader has cancelled it. */
  isCancelled(): boolean
  /** Ends the stream with the finish of its answer, after recording the answer. */
  close(): Promise<void>
  fail(error: unknown): void
}

/** What happens to parts that are passed on. */
export interface RelaySteps extends Pick<AnswerSteps, 'onAnswer'> {
  /** Called with each part before it is passed on. */
  onHand(part: StreamPart): void
}

// How long a cancelled source is read to the end for its usage.
const DRAIN_MS = 10_000

/**
 * The finish of an answer is passed on once the call is settled, so that nothing of the next step comes before that.
 * With `onAnswer`, so are its tool calls: the AI SDK runs a call as soon as it sees it, so if the process dies then,
 * the call must already be recorded. An answer that breaks off calls nothing.
 */
export function createRelay({ onHand, onAnswer }: RelaySteps): Relay {
  let controller: ReadableStreamDefaultController<StreamPart>
  let isRead = true
  let pumps = 0
  let hasBegun = false
  let finish: FinishPart | null = null
  let onCancel: () => void = () => {}
  // An open text part must be ended before another call's parts follow.
  const open = new Map<string, 'text-end' | 'reasoning-end'>()
  const answer = onAnswer === undefined ? null : createAnswerCollector()
  const unrecorded: StreamPart[] = []
  const stream = new ReadableStream<StreamPart>({
    start(own) {
      controller = own
    },
    cancel() {
      isRead = false
      onCancel()
    },
  })
  const hand = (part: StreamPart): void => {
    if (hasBegun && part.type === 'stream-start') return
    hasBegun = true
    if (part.type === 'text-start') open.set(part.id, 'text-end')
    if (part.type === 'reasoning-start') open.set(part.id, 'reasoning-end')
    if (part.type === 'text-end' || part.type === 'reasoning-end') open.delete(part.id)
    onHand(part)
    answer?.add(part)
    const waits = answer !== null && (part.type === 'tool-call' || unrecorded.length > 0) && part.type !== 'error'
    if (waits) unrecorded.push(part)
    else if (isRead) controller.enqueue(part)
  }

  return {
    stream,
    async pump(source, signal, onPart, { isHeldBack } = { isHeldBack: false }) {
      const own = ++pumps
      let end: FinishPart | null = null
      for (const [id, type] of open) hand({ type, id })
      open.clear()
      const reader = source.getReader()
      const stopped = stopSignal(signal, (cancel) => {
        onCancel = cancel
        if (!isRead) cancel()
      })
      try {
        for (;;) {
          const { done, value: part } = await Promise.race([reader.read(), stopped.promise])
          if (done) return end
          onPart(part)
          if (part.type === 'finish') end = part
          // Another call has taken over: the rest of this one is dropped.
          if (isHeldBack || own !== pumps) continue
          if (part.type === 'finish') finish = part
          else hand(part)
        }
      } catch (error) {
        reader.cancel(error).catch(() => {})
        throw error
      } finally {
        stopped.forget()
      }
    },
    isCancelled: () => !isRead,
    async close() {
      if (isRead && finish !== null) await onAnswer?.(answer!.content())
      if (!isRead) return
      if (finish !== null) for (const part of [...unrecorded, finish]) controller.enqueue(part)
      controller.close()
    },
    fail(error) {
      if (isRead) controller.error(error)
    },
  }
}

/** Rejects with the reason of the signal, or some time after `cancel` is called. */
function stopSignal(signal: AbortSignal, onReady: (cancel: () => void) => void) {
  let reject: (reason: unknown) => void = () => {}
  let timer: ReturnType<typeof setTimeout> | null = null
  const promise = new Promise<never>((_, fail) => {
    reject = fail
  })
  promise.catch(() => {})
  const onAbort = (): void => reject(signal.reason)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  onReady(() => {
    timer = setTimeout(
      () => reject(new Error('The reader cancelled the answer, and it did not end in time.')),
      DRAIN_MS,
    )
    timer.unref?.()
  })
  return {
    promise,
    forget() {
      signal.removeEventListener('abort', onAbort)
      if (timer !== null) clearTimeout(timer)
    },
  }
}
