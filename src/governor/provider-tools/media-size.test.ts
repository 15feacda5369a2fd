import { describe, expect, it } from 'vitest'
import { pdfOf, wavOf } from '../../pricing/estimate/media/media-files.fixture.ts'
import { type MediaFile, mediaSize } from './media-size.ts'

const NOTHING = { images: 0, documentPages: 0, documentBytes: 0, audioSeconds: 0, videoSeconds: 0, unknown: [] }
const file = (kind: MediaFile['kind'], content: string): MediaFile => ({
  kind,
  bytes: content.length,
  read: () => content,
})
const wav = (seconds: number) => wavOf(seconds).toString('latin1')

describe('the size of media', () => {
  it('counts images, pages of documents, seconds of audio and bytes of texts', () => {
    const image: MediaFile = { kind: 'image', bytes: null }
    const files = [
      image,
      image,
      file('document', pdfOf({ pages: 7, isPacked: true })),
      file('audio', wav(3)),
      file('text', 'abc'),
    ]
    expect(mediaSize(files)).toEqual({ ...NOTHING, images: 2, documentPages: 7, audioSeconds: 4, documentBytes: 3 })
  })

  it('a text document has its bytes, any other unreadable one has no known size', () => {
    expect(mediaSize([file('document', '{"a": 1}\n')])).toEqual({ ...NOTHING, documentBytes: 9 })
    for (const content of ['PK\x03\x04\x14\0docx', pdfOf({ pages: 2, more: '/Encrypt 1 0 R' })]) {
      expect(mediaSize([file('document', content)])).toEqual({ ...NOTHING, unknown: ['image'] })
    }
  })

  it('is unknown for what the provider fetches, and for recordings without a duration', () => {
    const far = (kind: MediaFile['kind']): MediaFile => ({ kind, bytes: null })
    expect(
      mediaSize(['audio', 'video', 'document', 'text', 'other'].map((kind) => far(kind as 'audio'))).unknown,
    ).toEqual(['audio', 'video', 'image', 'other'])
    expect(mediaSize([file('audio', 'OggS')]).unknown).toEqual(['audio'])
    expect(mediaSize([file('other', wav(1))]).unknown).toEqual(['other'])
  })
})
