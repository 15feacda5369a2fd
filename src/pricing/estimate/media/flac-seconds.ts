import { bigEndian } from './bytes-of.ts'

/** The duration in the header of a FLAC file; `null` if it isn't one or doesn't state it. */
export function flacSeconds(file: string): number | null {
  // The first block always describes the stream: 20 bits of sample rate, 8 of format, 36 of sample count.
  if (file.slice(0, 4) !== 'fLaC' || (file.charCodeAt(4) & 127) !== 0) return null
  const samplesPerSecond = Math.floor(bigEndian(file, 18, 3) / 16)
  const samples = (file.charCodeAt(21) & 15) * 2 ** 32 + bigEndian(file, 22, 4)
  return samplesPerSecond > 0 && samples > 0 ? samples / samplesPerSecond : null
}
