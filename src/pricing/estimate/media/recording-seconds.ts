import { flacSeconds } from './flac-seconds.ts'
import { mp3Seconds } from './mp3-seconds.ts'
import { mp4Seconds } from './mp4-seconds.ts'
import { wavSeconds } from './wav-seconds.ts'

/**
 * The maximum duration of a recording, as far as the file itself tells; `null` if unknown. `file` has one character per
 * byte.
 */
export function recordingSeconds(file: string): number | null {
  const seconds = wavSeconds(file) ?? flacSeconds(file) ?? mp4Seconds(file) ?? mp3Seconds(file)
  return seconds === null || !Number.isFinite(seconds) ? null : seconds
}
