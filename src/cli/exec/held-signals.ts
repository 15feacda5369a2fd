import type { Platform } from '../platform.ts'

/** The signals that ask `stint exec` to end. None of them ends the process by itself. */
export interface HeldSignals {
  /** Whether a signal has come. */
  hasCome(): boolean
  /** From now on `listener` is called for each signal, instead of the listener before it. */
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
