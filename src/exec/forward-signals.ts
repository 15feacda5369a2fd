import type { RunningCommand } from './start-command.ts'

/** How signals are handled. */
export interface SignalHandling {
  /** The command shares our terminal, so ^C and ^\ reach it without us. */
  readonly isInteractive: boolean
  /** Called for SIGTERM and SIGHUP, which must end the command even if it ignores them. */
  readonly onEnd: (signal: NodeJS.Signals) => void
}

/** The signals received while a command ran. */
export interface ForwardedSignals {
  /** The last signal that was meant to interrupt or end the command; `null` if there was none. */
  last(): NodeJS.Signals | null
  /** Restores the default effect of signals on this process. */
  stop(): void
}

const FROM_TERMINAL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']
const ENDING: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP']
// Forwarded, whatever they mean to the command.
const OTHERS: readonly NodeJS.Signals[] = process.platform === 'win32' ? [] : ['SIGUSR1', 'SIGUSR2']

/** Passes signals on to a command instead of ending by them. */
export function forwardSignals(command: RunningCommand, { isInteractive, onEnd }: SignalHandling): ForwardedSignals {
  let last: NodeJS.Signals | null = null
  const handlers = new Map<NodeJS.Signals, () => void>()
  const handle = (signal: NodeJS.Signals, handler: () => void): void => {
    handlers.set(signal, handler)
    process.on(signal, handler)
  }
  for (const signal of FROM_TERMINAL) {
    handle(signal, () => {
      last = signal
      if (!isInteractive) command.signal(signal)
    })
  }
  for (const signal of ENDING) {
    handle(signal, () => {
      last = signal
      command.signal(signal)
      onEnd(signal)
    })
  }
  for (const signal of OTHERS) handle(signal, () => command.signal(signal))
  // In its own process group, the command is not notified of a new window size.
  if (!isInteractive && process.platform !== 'win32') handle('SIGWINCH', () => command.signal('SIGWINCH'))
  return {
    last: () => last,
    stop() {
      for (const [signal, handler] of handlers) process.off(signal, handler)
    },
  }
}
