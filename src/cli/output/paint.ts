import picocolors from 'picocolors'

/** Colours, or functions that leave the text as it is. */
export type Paint = ReturnType<typeof picocolors.createColors>

/** Colours only where a person reads, and nobody asked for none (https://no-color.org). */
export function createPaint(options: {
  readonly isTerminal: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly color: boolean
}): Paint {
  const { isTerminal, env, color } = options
  return picocolors.createColors(isTerminal && color && !env.NO_COLOR && env.TERM !== 'dumb')
}
