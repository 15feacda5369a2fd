import {
  assertKnownOptions,
  type Clock,
  type HistoryEntry,
  type LeaseOutcome,
  type LedgerStore,
  optionNames,
  type Random,
} from '../../core/index.ts'
import { createSystemClock } from '../../system/index.ts'
import { type PostDelivery, postDelivery } from './post-delivery.ts'
import { newSinkState, type SinkState, sinkStateFrom } from './sink-state.ts'
import { changedTrees, eventsOf, forgetEnded, startAtEnd } from './tree-follower.ts'
import type { Webhook } from './webhook.ts'

export interface WebhookSenderOptions {
  readonly store: LedgerStore
  readonly webhook: Webhook
  /** Who sends: one process at a time does. */
  readonly holder: string
  readonly clock?: Clock
  readonly random?: Random
  /** How one attempt is made. Default: over HTTP. */
  readonly post?: PostDelivery
}

/** Sends events until it is stopped. */
export interface WebhookSender {
  /** Ends what is in progress, and lets another process continue. Never throws. */
  stop(): Promise<void>
}

const OPTIONS = optionNames<WebhookSenderOptions>({
  store: true,
  webhook: true,
  holder: true,
  clock: true,
  random: true,
  post: true,
})

const LEASE_MS = 30_000
const RENEW_MS = 10_000
const LOOK_EVERY_MS = 1_000
const FORGET_EVERY_MS = 3_600_000
const LONGEST_WAIT_MS = 300_000
const GIVE_UP_MS = 86_400_000

/** The name of the lease of a webhook. */
export function webhookLease(name: string): string {
  return `webhook ${name}`
}

/**
 * Sends what happens to a webhook: each event at least once, in the order of its tree, with an id by which a repetition
 * is recognised. How far it has got is in the ledger, so the next process continues where this one ended, however it
 * ended. Nothing here can delay a call: it only reads the history.
 */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  assertKnownOptions('createWebhookSender', options, OPTIONS)
  const { store, webhook, holder, clock = createSystemClock(), random = Math.random, post = postDelivery } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const nowMs = (): number => clock.wallMs()
  const followed = { store, nowMs }
  const lease = webhookLease(webhook.name)
  let renewedAtMs = 0

  function wait(delayMs: number): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const end = (): void => {
        cancel()
        signal.removeEventListener('abort', end)
        resolve()
      }
      const cancel = clock.after(delayMs, end, { unref: true })
      signal.addEventListener('abort', end)
    })
  }

  /** Keeps the lease, and how far we came. `false`: another process has it now. */
  async function save(state: SinkState, forMs = LEASE_MS): Promise<boolean> {
    renewedAtMs = clock.monotonicMs()
    const { kind } = await store.lease({ lease, holder, forMs, text: JSON.stringify(state), atMs: nowMs() })
    return kind === 'held'
  }

  async function keepLease(state: SinkState): Promise<boolean> {
    return clock.monotonicMs() - renewedAtMs < RENEW_MS || save(state)
  }

  /** Sends one event, again and again if need be. `false`: it is not ours any more, or we are to stop. */
  async function deliver(rootId: string, entry: HistoryEntry, state: SinkState): Promise<boolean> {
    const delivery = { id: `${rootId}:${entry.number}`, entry }
    while (!signal.aborted && (await keepLease(state))) {
      const outcome = await post(webhook, delivery, nowMs(), signal)
      if (outcome.kind === 'delivered') {
        state.sent++
        state.lastSentAtMs = nowMs()
        state.failing = null
        return true
      }
      if (signal.aborted) return false
      const { sinceMs = nowMs(), attempts = 0 } = state.failing ?? {}
      state.failing = { sinceMs, attempts: attempts + 1, reason: outcome.reason }
      const isTooOld = Math.abs(nowMs() - Date.parse(entry.event.ts)) > GIVE_UP_MS
      if (isTooOld) state.dropped++
      if (!(await save(state))) return false
      const backOffMs = Math.min(LONGEST_WAIT_MS, LOOK_EVERY_MS * 2 ** Math.min(attempts, 20)) * (0.8 + 0.4 * random())
      const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(backOffMs, outcome.retryAfterMs ?? 0))
      if (!(await waitHolding(waitMs, state))) return false
      if (isTooOld) return true
    }
    return false
  }

  async function waitHolding(delayMs: number, state: SinkState): Promise<boolean> {
    for (let left = delayMs; left > 0; left -= RENEW_MS) {
      await wait(Math.min(left, RENEW_MS))
      if (signal.aborted || !(await keepLease(state))) return false
    }
    return true
  }

  /** Sends all that is new. `false`: stop. */
  async function sendNews(state: SinkState): Promise<boolean> {
    const lookedAtMs = nowMs()
    const { roots, cursor } = await changedTrees(followed, state)
    for (const rootId of roots) {
      for await (const entry of eventsOf(followed, webhook, state, rootId)) {
        if (!(await deliver(rootId, entry, state))) return false
        state.roots[rootId] = entry.number
        if (!(await save(state))) return false
      }
    }
    state.changed = cursor
    state.lookedAtMs = lookedAtMs
    return keepLease(state)
  }

  async function sendWhileHeld(taken: LeaseOutcome): Promise<void> {
    const state = sinkStateFrom(taken.text) ?? newSinkState(nowMs())
    let forgottenAtMs = clock.monotonicMs()
    if (state.changed === null) await startAtEnd(followed, state)
    if (!(await save(state))) return
    while (!signal.aborted && (await sendNews(state))) {
      if (clock.monotonicMs() - forgottenAtMs >= FORGET_EVERY_MS) {
        forgottenAtMs = clock.monotonicMs()
        await forgetEnded(followed, state)
      }
      await wait(LOOK_EVERY_MS)
    }
    // Only what was sent is saved, so the next process misses nothing.
    if (signal.aborted) await save(state, 0)
  }

  async function work(): Promise<void> {
    while (!signal.aborted) {
      try {
        const taken = await store.lease({ lease, holder, forMs: LEASE_MS, atMs: nowMs() })
        if (taken.kind === 'held') await sendWhileHeld(taken)
        else await wait(RENEW_MS)
      } catch {
        // The store is away, or something in it cannot be read: nothing is lost, and it is tried again.
        await wait(RENEW_MS)
      }
    }
  }

  const working = work()
  return {
    async stop() {
      stopping.abort()
      await working
    },
  }
}
