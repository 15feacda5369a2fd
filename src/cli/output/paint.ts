type Colour = (text: string) => string

/** Colours, or functions that leave the text as it is. */
export interface Paint {
  readonly bold: Colour
  readonly dim: Colour
  readonly red: Colour
  readonly green: Colour
  readonly yellow: Colour
  readonly cyan: Colour
}

/** Colours on a terminal, unless turned off (https://no-color.org). */
export function createPaint(options: {
  readonly isTerminal: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly color: boolean
}): Paint {
  const { isTerminal, env, color } = options
  return isTerminal && color && !env.NO_COLOR && env.TERM !== 'dumb' ? COLOURED : PLAIN
}

const between =
  (begin: number, end: number): Colour =>
  (text) =>
    `\u001b[${begin}m${text}\u001b[${end}m`
const leave: Colour = (text) => text

/** Without colours. */
export const PLAIN: Paint = { bold: leave, dim: leave, red: leave, green: leave, yellow: leave, cyan: leave }

const COLOURED: Paint = {
  bold: between(1, 22),
  dim: between(2, 22),
  red: between(31, 39),
  green: between(32, 39),
  yellow: between(33, 39),
  cyan: between(36, 39),
}
