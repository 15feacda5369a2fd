import type { RunningCommand } from './start-command.ts'

/** Which signals came, and what is done about those that want an end. */
export interface SignalHandling {
  /** The command is at the terminal with us, so that ^C and ^\ have reached it already. */
  readonly isInteractive: boolean
  /** Whoever sent it wants the command to end, whatever the command makes of it: SIGTERM, SIGHUP. */
  readonly onEnd: (signal: NodeJS.Signals) => void
}

/** The signals that came while a command ran. */
export interface ForwardedSignals {
  /** The last that was meant to interrupt or end the command; `null` if none was. */
  last(): NodeJS.Signals | null
  /** From then on signals do to us what they do by themselves. */
  stop(): void
}

const FROM_TERMINAL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']
const ENDING: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP']
// Meant for the command, whatever they mean to it.
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
  // In a group of its own it is not told of a new window size.
  if (!isInteractive && process.platform !== 'win32') handle('SIGWINCH', () => command.signal('SIGWINCH'))
  return {
    last: () => last,
    stop() {
      for (const [signal, handler] of handlers) process.off(signal, handler)
    },
  }
}
