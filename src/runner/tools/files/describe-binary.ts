// File signatures.
const KINDS: readonly (readonly [signature: string, name: string])[] = [
  ['89504e470d0a1a0a', 'a PNG picture'],
  ['ffd8ff', 'a JPEG picture'],
  ['47494638', 'a GIF picture'],
  ['424d', 'a BMP picture'],
  ['25504446', 'a PDF document'],
  ['504b0304', 'a ZIP archive, or a document that is one'],
  ['1f8b', 'a gzip archive'],
  ['7f454c46', 'a program'],
  ['0061736d', 'a WebAssembly module'],
  ['53514c69746520666f726d6174203300', 'an SQLite database'],
  ['fffe', 'text in UTF-16'],
  ['feff', 'text in UTF-16'],
]

/** What kind of binary file it is, by its first bytes; `null` if it looks like text. */
export function describeBinary(start: Uint8Array): string | null {
  const bytes = Buffer.from(start)
  const hex = bytes.subarray(0, 16).toString('hex')
  if (hex.startsWith('52494646') && bytes.subarray(8, 12).toString('latin1') === 'WEBP') return 'a WebP picture'
  const isBinary = bytes.includes(0)
  const known = KINDS.find(([signature]) => hex.startsWith(signature))
  // Text can match a short signature by chance ("BM…"), but has no NUL byte.
  if (known !== undefined && (isBinary || hex.startsWith('25504446'))) return known[1]
  return isBinary ? 'a binary file' : null
}
