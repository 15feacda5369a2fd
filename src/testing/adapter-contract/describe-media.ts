import type { AdapterContract } from './contract.ts'

const NANO_USD = 1_000_000_000
const USAGE = { inputTokens: 9_000, outputTokens: 10 }

/** Images, documents and audio, whose size in bytes says little about their tokens. */
export function describeMedia({ describe, it, expect, stage }: AdapterContract): void {
  describe('media', () => {
    it('D3: a document is reserved by its pages, so a small file with many pages cannot slip past a limit', async () => {
      const runWith = async (pages: number) => {
        const data = pdfOf(pages)
        expect(data.length < 20_000).toBe(true)
        const stages = await stage({
          script: [{ text: 'Read.', usage: USAGE }],
          limits: { cost: 0.1 },
          files: [{ mediaType: 'application/pdf', data }],
        })
        return { ...stages, end: await stages.run() }
      }
      const long = await runWith(100)
      expect(long.end).toMatchObject({ status: 'limit-reached', breach: { meter: 'cost' } })
      expect(long.model.book).toHaveLength(0)
      const short = await runWith(1)
      expect(short.end).toMatchObject({ status: 'completed', output: 'Read.' })
      const [sent] = short.model.book
      expect(sent?.request.messages.at(-1)).toMatchObject({ files: [{ mediaType: 'application/pdf' }] })
      expect((await short.scope.usage()).cost).toMatchObject({ settled: 9_050_000, overrun: 0, reserved: 0 })
    })

    it('D3: it is reserved again in every request that shows it, and the run ends with an answer', async () => {
      const { model, run, scope } = await stage({
        script: function* () {
          for (let count = 1; ; count++) {
            yield {
              text: 'So far: x.',
              toolCalls: [{ name: 'read', arguments: { path: String(count) } }],
              usage: USAGE,
            }
          }
        },
        limits: { cost: 0.1 },
        files: [{ mediaType: 'application/pdf', data: pdfOf(1) }],
      })
      expect(await run()).toMatchObject({ status: 'limit-reached', partialOutput: 'So far: x.' })
      expect(model.book.length > 3).toBe(true)
      const { cost } = await scope.usage()
      expect([cost.overrun, cost.settled]).toEqual([0, model.book.length * 9_050_000])
      expect(cost.settled <= 0.1 * NANO_USD).toBe(true)
    })
  })
}

/** A PDF with this many empty pages. */
function pdfOf(pages: number): Uint8Array {
  const kids = Array.from({ length: pages }, (_, index) => `${index + 10} 0 R`).join(' ')
  const page = '<< /Type /Page /Parent 2 0 R >>\n'
  const tree = `<< /Type /Catalog /Pages 2 0 R >>\n<< /Type /Pages /Count ${pages} /Kids [ ${kids} ] >>\n`
  return new TextEncoder().encode(`%PDF-1.7\n2 0 obj\n${tree}${page.repeat(pages)}endobj\n%%EOF\n`)
}
