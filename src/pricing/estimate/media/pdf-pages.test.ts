import { describe, expect, it } from 'vitest'
import { growth } from '../../../testing/growth.fixture.ts'
import { inflateForTests as inflate, pdfOf } from './media-files.fixture.ts'
import { isPdf, pdfPages } from './pdf-pages.ts'

const pagesOf = (file: string) => pdfPages(file, inflate)

describe('the pages of a PDF', () => {
  it.each([{ isPacked: false }, { isPacked: true }])('are counted, compressed or not: %j', (form) => {
    for (const pages of [1, 2, 100, 300]) expect(pagesOf(pdfOf({ pages, ...form }))).toBe(pages)
  })

  it('are at least as many as its page objects, counts or references', () => {
    const lying = (count: number) => (objects: string) => objects.replace(/Count \d+/, `Count ${count}`)
    expect(pagesOf(pdfOf({ pages: 100, disguise: lying(1) }))).toBe(100)
    expect(pagesOf(pdfOf({ pages: 2, disguise: lying(90) }))).toBe(90)
    const withoutTypes = (objects: string) => objects.replaceAll('/Type /Page ', '')
    expect(pagesOf(pdfOf({ pages: 50, disguise: (objects) => withoutTypes(lying(1)(objects)) }))).toBe(50)
    expect(pagesOf(pdfOf({ pages: 3, more: '9 0 obj << /Type/Page /Parent 2 0 R >> endobj' }))).toBe(4)
  })

  it('are not counted in other trees: bookmarks, names, form fields', () => {
    const outlines = '7 0 obj << /Type /Outlines /First 8 0 R /Count 900 >> endobj '
    const names = '8 0 obj << /Kids [ 91 0 R 92 0 R 93 0 R 94 0 R ] /Limits [ (a) (z) ] >> endobj '
    const field = '9 0 obj << /T (x) /Kids [ 95 0 R 96 0 R 97 0 R 98 0 R ] >> endobj'
    expect(pagesOf(pdfOf({ pages: 3, more: outlines + names + field }))).toBe(3)
    expect(pagesOf(pdfOf({ pages: 3, more: '<< /Type /Pagination /PageMode /UseNone /PageLabels 9 0 R >>' }))).toBe(3)
  })

  it.each([
    ['encrypted', pdfOf({ pages: 2, more: 'trailer << /Encrypt 9 0 R >>' })],
    ['written with escapes', pdfOf({ pages: 2, disguise: (objects) => objects.replaceAll('/Page ', '/P#61ge ') })],
    [
      'packed with escapes',
      pdfOf({ pages: 2, isPacked: true, disguise: (objects) => objects.replace('/Kids', '/#4Bids') }),
    ],
    [
      'packed with a predictor',
      pdfOf({ pages: 2, isPacked: true }).replace('/First 20', '/DecodeParms << /Predictor 12 >>'),
    ],
    ['packed in another way', pdfOf({ pages: 2, isPacked: true }).replaceAll('/FlateDecode', '/LZWDecode')],
    [
      'packed twice',
      pdfOf({ pages: 2, isPacked: true }).replace('/ObjStm', '/ObjStm /Filter [ /ASCIIHexDecode /FlateDecode ] /X'),
    ],
    ['packed and broken', pdfOf({ pages: 2, isPacked: true }).replace('stream\r\n', 'stream\r\n!!')],
    [
      'referred to twice',
      pdfOf({
        pages: 2,
        disguise: (objects) => objects.replace('10 0 R ]', '10 0 R 11 0 R ]').replace('11 0 R ]', '11 0 R 11 0 R ]'),
      }),
    ],
    ['nowhere', '%PDF-1.7\n%%EOF'],
    ['longer than can be looked at', pdfOf({ pages: 2, more: 'x'.repeat(5_000_000) })],
  ])('are unknown if they are %s', (_, file) => {
    expect(pagesOf(file)).toBe(null)
  })

  it('are unknown if the compressed data is too large to unpack', () => {
    const bomb = pdfOf({ pages: 1, isPacked: true, disguise: (objects) => objects + ' '.repeat(3_000_000) })
    expect(bomb.length).toBeLessThan(20_000)
    expect(pagesOf(bomb)).toBe(null)
  })

  it('are counted in linear time, whatever is in the file', async () => {
    for (const piece of [
      '/Kids',
      '/Kids[',
      '<<',
      '/ObjStm',
      '/ObjStm<<stream',
      '/Page',
      '#41',
      '/#',
      '1 ',
      '/Count 1',
      '/Kids [1 0 R',
    ]) {
      const work = (size: number) => pagesOf(`%PDF-1.7\n${piece.repeat(size / piece.length)}`)
      expect(await growth(work, 500_000, 2_000_000), piece).toBeLessThan(12)
    }
  })
})

describe('isPdf', () => {
  it('are found if the marker is where PDF readers look for it', () => {
    expect(isPdf(pdfOf({ pages: 1 }))).toBe(true)
    expect(isPdf(`${'x'.repeat(1_000)}%PDF-1.4`)).toBe(true)
    expect(isPdf('PK\x03\x04 word/document.xml %PD')).toBe(false)
  })
})
