import { describe, expect, it } from 'vitest'
import { growth } from '../../../testing/growth.fixture.ts'
import { wavOf } from './media-files.fixture.ts'
import { recordingSeconds } from './recording-seconds.ts'

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

/** Frames of MPEG 1, layer III, 128 kbit/s at 44,100 Hz: 417 bytes for 1,152 samples. */
const FRAME = Buffer.alloc(417)
FRAME.writeUInt32BE(0xfffb9000)
const mp3Of = (frames: number) => text(Buffer.concat(Array.from({ length: frames }, () => FRAME)))

function box(type: string, ...inside: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + Buffer.concat(inside).length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...inside])
}

function lengthBox(type: 'mvhd' | 'mdhd', scale: number, length: number): Buffer {
  const inside = Buffer.alloc(24)
  inside.writeUInt32BE(scale, 12)
  inside.writeUInt32BE(length, 16)
  return box(type, inside)
}

function trackBox(length: number): Buffer {
  const inside = Buffer.alloc(28)
  inside.writeUInt32BE(length, 20)
  return box('tkhd', inside)
}

describe('the duration of a recording', () => {
  it('WAV: all its bytes at the lowest rate that it states', () => {
    expect(recordingSeconds(text(wavOf(60)))).toBeCloseTo(60, 1)
    expect(recordingSeconds(text(wavOf(10, { rate: 44_100, channels: 2, bits: 16 })))).toBeCloseTo(10, 1)
    const slow = wavOf(1)
    slow.writeUInt32LE(100, 28)
    expect(recordingSeconds(text(slow))).toBeCloseTo(80, 0)
    const short = wavOf(60)
    short.writeUInt32LE(4, 40)
    expect(recordingSeconds(text(short))).toBeCloseTo(60, 1)
  })

  it('MP3: frame by frame after its tag; anything between frames at the lowest rate', () => {
    expect(recordingSeconds(mp3Of(1_000))).toBeCloseTo((1_000 * 1_152) / 44_100, 3)
    const tag = `ID3\x04\0\0\0\0\x01\x00${'t'.repeat(128)}`
    expect(recordingSeconds(`${tag}${mp3Of(1_000)}`)).toBeCloseTo((1_000 * 1_152) / 44_100, 3)
    expect(recordingSeconds(`${mp3Of(10)}${'x'.repeat(50_000)}`)).toBeGreaterThan(50)
  })

  it('FLAC: as stated in its header', () => {
    const file = Buffer.alloc(42)
    file.write('fLaC', 0, 'latin1')
    file.writeUIntBE(44_100 * 16, 18, 3)
    file.writeUInt32BE(44_100 * 7, 22)
    expect(recordingSeconds(text(file))).toBe(7)
  })

  it('MP4: the longest of its own and its tracks’ durations', () => {
    const film = (...inside: readonly Buffer[]) => text(Buffer.concat([box('ftyp', Buffer.from('isom')), ...inside]))
    const moov = box(
      'moov',
      lengthBox('mvhd', 1_000, 5_000),
      box('trak', trackBox(9_000), box('mdia', lengthBox('mdhd', 10, 700))),
    )
    expect(recordingSeconds(film(moov))).toBe(70)
    expect(recordingSeconds(film(box('moov', lengthBox('mvhd', 1_000, 5_000))))).toBe(5)
    expect(recordingSeconds(film(moov, box('moof')))).toBe(null)
    expect(recordingSeconds(film())).toBe(null)
  })

  it.each([
    ['compressed WAV', text(wavOf(1, { format: 0x31 }))],
    ['WAV without a rate', text(wavOf(1, { rate: 0 }))],
    ['Ogg', 'OggS\0\x02'],
    ['nothing', ''],
    ['words', 'these are only words'],
  ])('is unknown for %s', (_, file) => {
    expect(recordingSeconds(file)).toBe(null)
  })

  it('is found in linear time, whatever is in the file', async () => {
    for (const piece of ['\xff', '\xff\xfb\x90\0', 'moov', '\0\0\0\x08moov']) {
      for (const head of ['', mp3Of(1), '\0\0\0\x08ftyp']) {
        const work = (size: number) => recordingSeconds(`${head}${piece.repeat(size / piece.length)}`)
        expect(await growth(work, 500_000, 2_000_000), piece).toBeLessThan(12)
      }
    }
  })
})
