import { flacSeconds } from './flac-seconds.ts'
import { mp3Seconds } from './mp3-seconds.ts'
import { mp4Seconds } from './mp4-seconds.ts'
import { wavSeconds } from './wav-seconds.ts'

/**
 * How long a recording can be at most, as far as the file itself says; `null` where nobody can say. `file` has one
 * character for each byte.
 */
export function recordingSeconds(file: string): number | null {
  const seconds = wavSeconds(file) ?? flacSeconds(file) ?? mp4Seconds(file) ?? mp3Seconds(file)
  return seconds === null || !Number.isFinite(seconds) ? null : seconds
}
