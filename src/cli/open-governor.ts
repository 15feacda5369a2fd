import type { Config } from '../config/config.ts'
import type { LedgerStore } from '../core/index.ts'
import { createGovernor, type Governor, type GovernorOptions } from '../governor/index.ts'
import { createJsonlSink, type JsonlSink } from '../observe/jsonl-sink/index.ts'
import { createPriceBook } from '../pricing/index.ts'
import { SCRIPTED_PRICES } from '../runner/models/scripted/scripted-prices.ts'

export interface OpenedGovernor {
  readonly governor: Governor
  /** Ends what is open, and flushes the log. */
  close(): Promise<void>
}

/** A governor over the ledger, with the prices and the log of the config. */
export function openGovernor(
  config: Config,
  store: LedgerStore,
  options: Pick<GovernorOptions, 'clock' | 'isHolderAlive'> = {},
): OpenedGovernor {
  const sink = openLog(config)
  const prices = createPriceBook({ overrides: new Map([...SCRIPTED_PRICES, ...config.prices]) })
  const governor = createGovernor({
    ...options,
    store,
    prices,
    history: { commands: config.history?.commands !== false },
    ...(sink === null ? {} : { onEvent: sink.listener }),
  })
  return {
    governor,
    async close() {
      try {
        await governor.close()
      } finally {
        await sink?.close()
      }
    },
  }
}

function openLog({ log }: Config): JsonlSink | null {
  if (log === null) return null
  const { file, maxBytes, keep } = log
  return createJsonlSink({
    file,
    ...(maxBytes === null ? {} : { maxBytes }),
    ...(keep === null ? {} : { keep }),
  })
}
