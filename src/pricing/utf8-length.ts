/** The bytes that `text` takes in UTF-8. No tokenizer that works on bytes makes more tokens of it than that. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    bytes += unit < 0x800 ? 1 : 2
    // A pair of surrogates is four bytes for two units; half a pair is sent as the three bytes of U+FFFD.
    if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(index + 1))) index++
  }
  return bytes
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
