import { type Charge, chargeOf } from './counting/charge.ts'
import { addUsage, type CountedUsage, NOTHING_USED } from './counting/counted-usage.ts'
import type { ProviderPrice } from './counting/provider-model.ts'
import type { ProviderDialectName } from './provider-request.ts'

/**
 * How a request ended. `refused`: it was invalid. `failed`: the provider failed. `cut`: the connection ended in the
 * middle, as scripted. `gone`: the client disconnected first.
 */
export type BookOutcome = 'running' | 'answered' | 'refused' | 'failed' | 'cut' | 'gone'

/** One model request, as billed. */
export interface BookEntry {
  /** The request's number. */
  readonly number: number
  readonly dialect: ProviderDialectName
  readonly model: string
  readonly outcome: BookOutcome
  readonly status: number
  /** The real usage, whatever the answer reported. For an answer that ended early, what was written by then. */
  readonly usage: CountedUsage
  /** Tool calls in the answer for the client to run. */
  readonly toolCalls: number
  readonly costPicoUsd: bigint
  /** Each price class rounded up. */
  readonly costNanoUsd: number
  /** 0 for a model without a price. */
  readonly isPriced: boolean
}

/** The whole bill. */
export interface ProviderBook {
  /** In order of arrival, up to a million; the totals include all. */
  readonly entries: readonly BookEntry[]
  readonly requests: number
  readonly outcomes: Readonly<Record<BookOutcome, number>>
  readonly usage: CountedUsage
  readonly toolCalls: number
  readonly costPicoUsd: bigint
  /** What the caller's ledger must show, to the nano-USD. */
  readonly costNanoUsd: number
}

export interface BookKeeper {
  /** Starts a line. */
  open(line: Pick<BookEntry, 'number' | 'dialect' | 'model'>): BookLine
  book(): ProviderBook
}

export interface BookLine {
  /** Ends the line; only the first end counts. */
  close(end: Pick<BookEntry, 'outcome' | 'status' | 'usage' | 'toolCalls'>): void
}

const MOST_ENTRIES = 1_000_000

/** An empty book. Prices are looked up when a line ends. */
export function createBook(priceOf: (model: string) => ProviderPrice | null): BookKeeper {
  const entries: BookEntry[] = []
  const outcomes = { running: 0, answered: 0, refused: 0, failed: 0, cut: 0, gone: 0 }
  let requests = 0
  let usage = NOTHING_USED
  let toolCalls = 0
  let costPicoUsd = 0n
  let costNanoUsd = 0

  return {
    open(line) {
      const place = entries.length
      const running = { ...line, outcome: 'running', status: 0, usage: NOTHING_USED, toolCalls: 0 } as const
      if (place < MOST_ENTRIES) entries.push({ ...running, costPicoUsd: 0n, costNanoUsd: 0, isPriced: false })
      requests++
      outcomes.running++
      let isOpen = true
      return {
        close(end) {
          if (!isOpen) return
          isOpen = false
          const price = priceOf(line.model)
          const charge: Charge = price === null ? { picoUsd: 0n, nanoUsd: 0 } : chargeOf(price, end.usage)
          outcomes.running--
          outcomes[end.outcome]++
          usage = addUsage(usage, end.usage)
          toolCalls += end.toolCalls
          costPicoUsd += charge.picoUsd
          costNanoUsd += charge.nanoUsd
          if (place >= MOST_ENTRIES) return
          const cost = { costPicoUsd: charge.picoUsd, costNanoUsd: charge.nanoUsd, isPriced: price !== null }
          entries[place] = { ...line, ...end, ...cost }
        },
      }
    },
    book: () => ({
      entries: [...entries],
      requests,
      outcomes: { ...outcomes },
      usage,
      toolCalls,
      costPicoUsd,
      costNanoUsd,
    }),
  }
}
