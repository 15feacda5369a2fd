/** A number of `bytes` bytes in a text with one character for each byte, the highest byte first; `NaN` past its end. */
export function bigEndian(text: string, at: number, bytes: number): number {
  let value = 0
  for (let index = at; index < at + bytes; index++) value = value * 256 + text.charCodeAt(index)
  return value
}

/** The same with the lowest byte first. */
export function littleEndian(text: string, at: number, bytes: number): number {
  let value = 0
  for (let index = at + bytes - 1; index >= at; index--) value = value * 256 + text.charCodeAt(index)
  return value
}
