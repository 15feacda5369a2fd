import { littleEndian } from './bytes-of.ts'

// Formats whose samples all have the same size: PCM, floating point, A-law and µ-law.
const EVEN_FORMATS = [1, 3, 6, 7]
const EXTENSIBLE = 0xfffe
const MOST_CHUNKS = 64

/** The maximum duration of a WAV file; `null` if it isn't one or is compressed. */
export function wavSeconds(file: string): number | null {
  if (file.slice(0, 4) !== 'RIFF' || file.slice(8, 12) !== 'WAVE') return null
  let at = 12
  for (let chunk = 0; chunk < MOST_CHUNKS && at + 8 <= file.length; chunk++) {
    if (file.slice(at, at + 4) === 'fmt ') return secondsAt(file, at + 8)
    const size = littleEndian(file, at + 4, 4)
    at += 8 + size + (size % 2)
  }
  return null
}

/** All bytes at the lowest rate that the file states. A stated duration proves nothing. */
function secondsAt(file: string, at: number): number | null {
  const written = littleEndian(file, at, 2)
  const format = written === EXTENSIBLE ? littleEndian(file, at + 24, 2) : written
  const samplesPerSecond = littleEndian(file, at + 4, 4)
  const bytesPerSecond = Math.min(littleEndian(file, at + 8, 4), samplesPerSecond * littleEndian(file, at + 12, 2))
  return EVEN_FORMATS.includes(format) && bytesPerSecond > 0 ? file.length / bytesPerSecond : null
}
