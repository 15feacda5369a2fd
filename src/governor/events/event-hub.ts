import {
  assertKnownOptions,
  assertWholeNumber,
  type Clock,
  type EventDraft,
  type EventName,
  type EventNameInput,
  type EventOf,
  InvalidOptionError,
  optionNames,
  parseEventName,
  type StintEvent,
  UnknownEventError,
} from '../../core/index.ts'
import { createEventDelivery, type DeliveryStats, type EventDelivery, type EventListener } from './event-delivery.ts'
import { frozenCopy } from './frozen-copy.ts'
import { createScopeSequence } from './scope-sequence.ts'

/** Subscribes a listener to all events, to those of one name, or to those of `names`. Returns how to end it. */
export interface Subscribe {
  (listener: EventListener, options?: SubscribeOptions): () => void
  (name: '*', listener: EventListener): () => void
  <Name extends EventNameInput>(name: Name, listener: EventListener<EventOf<Lowercase<Name> & EventName>>): () => void
}

export interface SubscribeOptions {
  /** Default: all. Capitals are understood too. */
  readonly names?: readonly EventNameInput[]
}

/** Tells listeners what happened, in a way that nothing a listener does can reach whoever tells, or another listener. */
export interface EventHub {
  /** Numbers an event and queues it for every listener that wants it. Returns at once and never throws. */
  emit(draft: EventDraft): void
  /** The same for what happens all the time: it is put into words only where somebody listens. */
  emitOf(scope: string, draft: () => EventDraft): void
  /** Nothing more is told here of this scope: its number may be forgotten after a while. */
  end(scope: string): void
  /** Throws `UnknownEventError` for a name that no event has. */
  readonly on: Subscribe
  stats(): EventHubStats
  /** Waits until every listener is done with all it was told, at most so long. `false`: one is not. */
  drain(timeoutMs: number): Promise<boolean>
  /** Nothing is told any more; what is still queued is dropped. Idempotent. */
  close(): void
}

export interface EventHubStats {
  readonly emitted: number
  /** Over all listeners, also those that have left. */
  readonly dropped: number
  /** Events that could not be told to anybody because they were no plain data. */
  readonly malformed: number
  readonly listeners: readonly ListenerStats[]
}

export interface ListenerStats extends DeliveryStats {
  /** The name of its function; `''` if it has none. */
  readonly name: string
}

export interface EventHubOptions {
  readonly clock: Clock
  /** How many events may wait for one listener; what comes on top is dropped. Default 10,000. */
  readonly maxQueued?: number
}

interface Subscription {
  readonly name: string
  /** `null`: all. */
  readonly wanted: ReadonlySet<EventName> | null
  readonly delivery: EventDelivery
}

const SUBSCRIBE_OPTIONS = optionNames<SubscribeOptions>({ names: true })
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
    on: on as Subscribe,
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
  const given = (options ?? {}) as SubscribeOptions
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
