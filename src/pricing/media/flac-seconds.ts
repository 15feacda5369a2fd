import { bigEndian } from './bytes-of.ts'

/** How long a FLAC file says that it is; `null` for what is none, or does not say it. */
export function flacSeconds(file: string): number | null {
  // The first block is always the one about the stream: 20 bits of rate, 8 of form, 36 of samples.
  if (file.slice(0, 4) !== 'fLaC' || (file.charCodeAt(4) & 127) !== 0) return null
  const samplesPerSecond = Math.floor(bigEndian(file, 18, 3) / 16)
  const samples = (file.charCodeAt(21) & 15) * 2 ** 32 + bigEndian(file, 22, 4)
  return samplesPerSecond > 0 && samples > 0 ? samples / samplesPerSecond : null
}
