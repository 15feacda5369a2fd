import { bigEndian } from './bytes-of.ts'

const HOLDERS = new Set(['moov', 'trak', 'mdia'])
const HEADERS = new Set(['mvhd', 'tkhd', 'mdhd'])
const MOST_BOXES = 1_000

/**
 * The maximum duration of an MP4 or M4A file: the longest of its own and its tracks' durations. `null` if it isn't one,
 * states none, or is fragmented.
 */
export function mp4Seconds(file: string): number | null {
  if (file.slice(4, 8) !== 'ftyp') return null
  const found = { boxes: 0, longest: 0, movieScale: 0, isFragmented: false }
  walk(file, 0, file.length, found)
  return found.isFragmented || found.boxes > MOST_BOXES || found.longest === 0 ? null : found.longest
}

interface Found {
  boxes: number
  longest: number
  /** Units per second of the whole movie, in which tracks state their duration. */
  movieScale: number
  isFragmented: boolean
}

function walk(file: string, start: number, end: number, found: Found): void {
  let at = start
  while (at + 8 <= end && found.boxes++ < MOST_BOXES) {
    const named = bigEndian(file, at, 4)
    const type = file.slice(at + 4, at + 8)
    // A size of 1 means that an 8-byte size follows, 0 that the box extends to the end.
    const size = named === 1 ? bigEndian(file, at + 8, 8) : named === 0 ? end - at : named
    const inside = at + (named === 1 ? 16 : 8)
    if (size < inside - at) return
    if (type === 'moof' || type === 'mvex') found.isFragmented = true
    if (HOLDERS.has(type)) walk(file, inside, Math.min(end, at + size), found)
    else if (HEADERS.has(type)) found.longest = Math.max(found.longest, secondsIn(file, type, inside, found))
    at += size
  }
}

function secondsIn(file: string, type: string, at: number, found: Found): number {
  const wide = file.charCodeAt(at) === 1 ? 8 : 4
  const times = at + 4 + 2 * wide
  if (type === 'tkhd') return found.movieScale === 0 ? 0 : lengthAt(file, times + 8, wide) / found.movieScale
  const scale = bigEndian(file, times, 4)
  if (type === 'mvhd') found.movieScale = scale
  return scale > 0 ? lengthAt(file, times + 4, wide) / scale : 0
}

/** All ones: unknown. */
function lengthAt(file: string, at: number, bytes: number): number {
  const length = bigEndian(file, at, bytes)
  return length >= 2 ** (bytes * 8) - 2 ** 11 && bytes === 8 ? 0 : length === 0xffffffff && bytes === 4 ? 0 : length
}
