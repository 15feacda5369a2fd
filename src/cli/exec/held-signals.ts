import type { Platform } from '../platform.ts'

/** The signals that ask `stint exec` to end. None of them ends the process by itself. */
export interface HeldSignals {
  /** Whether a signal has come. */
  hasCome(): boolean
  /** Calls `listener` for each signal from now on, in place of the previous listener. */
  hear(listener: () => void): void
}

/** Holds them until this process ends, so that a signal can never end it before the report is written. */
export function holdSignals({ outliveSignals }: Pick<Platform, 'outliveSignals'>): HeldSignals {
  let hasCome = false
  let hearing = (): void => {}
  outliveSignals(() => {
    hasCome = true
    hearing()
  })
  return {
    hasCome: () => hasCome,
    hear(listener) {
      hearing = listener
    },
  }
}
