import { bigEndian } from './bytes-of.ts'

// By version (MPEG 2.5, reserved, 2, 1) and layer (reserved, III, II, I): kilobits per second by index.
const MPEG_1_LAYER_3 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const MPEG_2_LAYER_3 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const SAMPLES_PER_SECOND = [[11_025, 12_000, 8_000], [], [22_050, 24_000, 16_000], [44_100, 48_000, 32_000]]
// The lowest bit rate, assumed for anything between readable frames.
const LEAST_BYTES_PER_SECOND = 1_000
const MOST_FRAMES = 400_000

/** The maximum duration of an MP3 file, frame by frame; `null` if it isn't one. */
export function mp3Seconds(file: string): number | null {
  const start = tagEnd(file)
  if (frameAt(file, start) === null) return null
  let at = start
  let seconds = 0
  let unread = 0
  for (let frame = 0; at < file.length && frame < MOST_FRAMES; frame++) {
    const found = frameAt(file, at)
    if (found === null) {
      const next = file.indexOf('\xff', at + 1)
      unread += (next === -1 ? file.length : next) - at
      at = next === -1 ? file.length : next
    } else {
      seconds += found.seconds
      at += found.bytes
    }
  }
  return seconds + (unread + Math.max(0, file.length - at)) / LEAST_BYTES_PER_SECOND
}

interface Frame {
  readonly bytes: number
  readonly seconds: number
}

/** The layer III frame that starts here; `null` if there is none. */
function frameAt(file: string, at: number): Frame | null {
  const head = bigEndian(file, at, 4)
  if (!(head >= 0xffe00000)) return null
  const version = (head >>> 19) & 3
  const layer = (head >>> 17) & 3
  const samplesPerSecond = SAMPLES_PER_SECOND[version]?.[(head >>> 10) & 3]
  const kilobits = (version === 3 ? MPEG_1_LAYER_3 : MPEG_2_LAYER_3)[(head >>> 12) & 15]
  if (layer !== 1 || samplesPerSecond === undefined || kilobits === undefined || kilobits === 0) return null
  const samples = version === 3 ? 1_152 : 576
  const padding = (head >>> 9) & 1
  const bytes = Math.floor((samples * kilobits * 125) / samplesPerSecond) + padding
  return { bytes, seconds: samples / samplesPerSecond }
}

/** The end of the ID3 tag, whose length has seven bits per byte. */
function tagEnd(file: string): number {
  if (file.slice(0, 3) !== 'ID3') return 0
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (file.charCodeAt(at) & 127), 0)
  return 10 + size
}
