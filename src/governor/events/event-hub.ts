import {
  assertKnownOptions,
  assertWholeNumber,
  type Clock,
  type EventDraft,
  type EventName,
  InvalidOptionError,
  optionNames,
  parseEventName,
  type StintEvent,
  UnknownEventError,
} from '../../core/index.ts'
import type { Governor } from '../governor.ts'
import { createEventDelivery, type DeliveryStats, type EventDelivery, type EventListener } from './event-delivery.ts'
import { frozenCopy } from './frozen-copy.ts'
import { createScopeSequence } from './scope-sequence.ts'

/** Delivers events to listeners. Nothing a listener does can affect the emitter or another listener. */
export interface EventHub {
  /** Numbers an event and queues it for every listener that wants it. Returns immediately and never throws. */
  emit(draft: EventDraft): void
  /** The same for frequent events: the draft is built only if there is a listener. */
  emitOf(scope: string, draft: () => EventDraft): void
  /** No more events of this scope are expected here: its sequence number may be dropped after a while. */
  end(scope: string): void
  /** Throws `UnknownEventError` for a name that no event has. */
  readonly on: Governor['on']
  stats(): EventHubStats
  /** Waits until every listener has handled all its events, up to this long. `false`: one has not. */
  drain(timeoutMs: number): Promise<boolean>
  /** Delivers nothing more and drops what is queued. Idempotent. */
  close(): void
}

export interface EventHubStats {
  readonly emitted: number
  /** Over all listeners, including those that unsubscribed. */
  readonly dropped: number
  /** Events that could not be delivered because they were not plain data. */
  readonly malformed: number
  readonly listeners: readonly ListenerStats[]
}

export interface ListenerStats extends DeliveryStats {
  /** The name of its function; `''` if it has none. */
  readonly name: string
}

export interface EventHubOptions {
  readonly clock: Clock
  /** How many events may be queued per listener before further ones are dropped. Default 10,000. */
  readonly maxQueued?: number
}

interface Subscription {
  readonly name: string
  /** `null`: all. */
  readonly wanted: ReadonlySet<EventName> | null
  readonly delivery: EventDelivery
}

const SUBSCRIBE_OPTIONS = optionNames<{ readonly names?: unknown }>({ names: true })
const MOST_QUEUED = 10_000_000

export function createEventHub({ clock, maxQueued = 10_000 }: EventHubOptions): EventHub {
  assertWholeNumber('maxQueued', maxQueued, 1, MOST_QUEUED)
  const subscriptions = new Set<Subscription>()
  const waiting = new Set<() => void>()
  const sequence = createScopeSequence()
  let emitted = 0
  let dropped = 0
  let malformed = 0
  let isClosed = false

  function tell(event: StintEvent): void {
    for (const { wanted, delivery } of subscriptions) {
      if (wanted !== null && !wanted.has(event.event)) continue
      if (!delivery.push(event)) dropped++
    }
  }

  function emit(draft: EventDraft): void {
    if (isClosed) return
    emitted++
    try {
      const seq = sequence.next(draft.scope)
      if (draft.event === 'scope_closed') sequence.end(draft.scope)
      if (subscriptions.size > 0) tell(frozenCopy({ ...draft, seq }) as StintEvent)
    } catch {
      malformed++
    }
  }

  const isIdle = () => [...subscriptions].every(({ delivery }) => !delivery.stats().isBusy)

  function endWaiting(): void {
    if (waiting.size === 0 || !isIdle()) return
    for (const done of waiting) done()
  }

  function on(first: unknown, second?: unknown): () => void {
    const [listener, names] = typeof first === 'function' ? [first, namesOf(second)] : [second, [first]]
    if (typeof listener !== 'function') throw new InvalidOptionError('on(…, listener)', listener, 'a function')
    const subscription: Subscription = {
      name: listener.name,
      wanted: wantedFrom(names),
      delivery: createEventDelivery(listener as EventListener, maxQueued, endWaiting),
    }
    if (!isClosed) subscriptions.add(subscription)
    return () => {
      subscriptions.delete(subscription)
      subscription.delivery.stop()
      endWaiting()
    }
  }

  return {
    emit,
    emitOf(scope, draft) {
      if (subscriptions.size > 0) emit(draft())
      else if (!isClosed) {
        emitted++
        sequence.next(scope)
      }
    },
    end: sequence.end,
    on: on as Governor['on'],
    stats: () => ({
      emitted,
      dropped,
      malformed,
      listeners: [...subscriptions].map(({ name, delivery }) => ({ name, ...delivery.stats() })),
    }),
    drain(timeoutMs) {
      if (isIdle()) return Promise.resolve(true)
      return new Promise((resolve) => {
        const end = (isDone: boolean) => {
          cancel()
          waiting.delete(done)
          resolve(isDone)
        }
        const done = () => end(true)
        const cancel = clock.after(timeoutMs, () => end(false))
        waiting.add(done)
      })
    },
    close() {
      isClosed = true
      for (const { delivery } of subscriptions) dropped += delivery.stop()
    },
  }
}

function namesOf(options: unknown): readonly unknown[] {
  const given = (options ?? {}) as { readonly names?: unknown }
  assertKnownOptions('governor.on', given, SUBSCRIBE_OPTIONS)
  const { names = ['*'] } = given
  if (!Array.isArray(names)) throw new InvalidOptionError('on(…, { names })', names, "a list, e.g. ['agent_failed']")
  return names
}

function wantedFrom(names: readonly unknown[]): ReadonlySet<EventName> | null {
  if (names.includes('*')) return null
  return new Set(
    names.map((written) => {
      const name = parseEventName(written)
      if (name === null) throw new UnknownEventError(written)
      return name
    }),
  )
}
