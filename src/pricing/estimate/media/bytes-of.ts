/** Reads a big-endian number of `bytes` bytes from a text with one character per byte; `NaN` past its end. */
export function bigEndian(text: string, at: number, bytes: number): number {
  let value = 0
  for (let index = at; index < at + bytes; index++) value = value * 256 + text.charCodeAt(index)
  return value
}

/** The same, little-endian. */
export function littleEndian(text: string, at: number, bytes: number): number {
  let value = 0
  for (let index = at + bytes - 1; index >= at; index--) value = value * 256 + text.charCodeAt(index)
  return value
}
