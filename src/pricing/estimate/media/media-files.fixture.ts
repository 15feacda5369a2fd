import { deflateSync, inflateSync } from 'node:zlib'

export interface PdfOptions {
  readonly pages: number
  /** Stores pages and their tree in a compressed stream, as most programs do today. */
  readonly isPacked?: boolean
  /** Appended at the end. */
  readonly more?: string
  /** Changes the objects before they are written. */
  readonly disguise?: (objects: string) => string
}

/** A PDF whose pages share one stream of text, one character per byte. */
export function pdfOf({ pages, isPacked = false, more = '', disguise = (objects) => objects }: PdfOptions): string {
  const kids = Array.from({ length: pages }, (_, index) => `${index + 10} 0 R`)
  const objects = disguise(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Count ${pages} /Kids [ ${kids.join(' ')} ] >>`,
      ...kids.map(() => '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>'),
    ].join('\n'),
  )
  const text = deflateSync(`BT (${'word '.repeat(1_000)}) Tj ET`).toString('latin1')
  const contents = `4 0 obj\n<< /Length ${text.length} /Filter /FlateDecode >>\nstream\n${text}\nendstream\nendobj\n`
  return `%PDF-1.7\n${contents}${isPacked ? packed(objects) : `2 0 obj\n${objects}\nendobj\n`}${more}\n%%EOF\n`
}

function packed(objects: string): string {
  const stream = deflateSync(Buffer.from(objects, 'latin1')).toString('latin1')
  const dictionary = `<< /Type /ObjStm /N 3 /First 20 /Length ${stream.length} /Filter /FlateDecode >>`
  return `5 0 obj\n${dictionary}\nstream\r\n${stream}\nendstream\nendobj\n`
}

export function inflateForTests(compressed: string, most: number): string | null {
  try {
    return inflateSync(Buffer.from(compressed, 'latin1'), { maxOutputLength: most }).toString('latin1')
  } catch {
    return null
  }
}

/** A WAV file of this duration. */
export function wavOf(seconds: number, { rate = 8_000, channels = 1, bits = 8, format = 1 } = {}): Buffer {
  const head = Buffer.alloc(44)
  const blockBytes = (channels * bits) / 8
  const dataBytes = Math.round(seconds * rate * blockBytes)
  head.write('RIFF', 0, 'latin1')
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(format, 20)
  head.writeUInt16LE(channels, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * blockBytes, 28)
  head.writeUInt16LE(blockBytes, 32)
  head.writeUInt16LE(bits, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(dataBytes, 40)
  return Buffer.concat([head, Buffer.alloc(dataBytes, 128)])
}
