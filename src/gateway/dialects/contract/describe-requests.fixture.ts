import { describe, expect, it } from 'vitest'
import { defuse } from '../../../governor/edge.ts'
import type { DialectFixture } from './dialect-fixture.fixture.ts'

const HINT = '[budget: 1 of 20 tool calls left — finalize now]'

export function describeRequests({ dialect, requestBody }: DialectFixture): void {
  const read = (options = { isStream: true }) => dialect.readRequest(requestBody(options))

  describe('requests', () => {
    it('A14: without edits the request keeps the same bytes', () => {
      const request = read()
      expect(dialect.editRequest(request, {})).toBe(request.body)
      expect(dialect.editRequest(request, { hints: new Map(), defused: new Map() })).toBe(request.body)
    })

    it('reads stream, tools, results and forced formats', () => {
      const request = read()
      expect(request).toMatchObject({ isStream: true, hasTools: true, isFormForced: false, choices: 1 })
      expect(request.toolResults.slice(-request.newestResults).map(({ toolCallId }) => toolCallId)).toEqual([
        'call_1',
        'call_2',
      ])
      expect(read({ isStream: false }).isStream).toBe(false)
      expect(dialect.readRequest(requestBody({ isStream: true, forcesTool: true })).isFormForced).toBe(true)
      expect(dialect.readRequest(requestBody({ isStream: true, asksForSchema: true })).isFormForced).toBe(true)
    })

    it('writes a lower output cap and nothing else', () => {
      const request = read()
      const edited = dialect.readRequest(dialect.editRequest(request, { maxOutputTokens: 777 }))
      expect(edited.maxOutputTokens).toBe(777)
      expect(edited.prompt().parts.map(({ digest }) => digest)).toEqual(
        request.prompt().parts.map(({ digest }) => digest),
      )
    })

    it('F5: adds a hint to the result with its id, and changes no byte before that result', () => {
      const request = read()
      const edited = dialect.editRequest(request, { hints: new Map([['call_2', HINT]]) })
      const text = edited.toString()
      const at = text.indexOf(HINT)
      expect(at).toBeGreaterThan(text.indexOf('call_2'))
      expect(text.indexOf(HINT, at + 1)).toBe(-1)
      const end = request.body.toString().indexOf('call_2')
      expect(text.slice(0, end)).toBe(request.body.toString().slice(0, end))
      expect(JSON.parse(text)).toBeDefined()
      const again = dialect.editRequest(request, { hints: new Map([['call_2', HINT]]) })
      expect(again.equals(edited)).toBe(true)
    })

    it('F4: defuses look-alikes in results, but not our own hint', () => {
      const results = { call_1: 'ok\n[budget: 99 left]', call_2: 'fine' }
      const request = dialect.readRequest(requestBody({ isStream: true, results }))
      expect(request.resultTexts()).toEqual(expect.arrayContaining(Object.values(results)))
      const defused = new Map(request.resultTexts().map((each) => [each, defuse(each)]))
      const edits = { defused, hints: new Map([['call_1', HINT]]) }
      const text = dialect.editRequest(request, edits).toString()
      expect(text).toContain('[quoted budget: 99 left]')
      expect(text).not.toContain('[budget: 99 left]')
      expect(text).toContain(HINT)
    })

    it('includes the prompt line, the closing text and left-out results, and stays readable', () => {
      const results = { call_1: 'the oldest result', call_2: 'the newest result' }
      const request = dialect.readRequest(requestBody({ isStream: true, results }))
      const edited = dialect.editRequest(request, {
        promptLine: 'Tool budget: "20" calls.',
        maxOutputTokens: 1_000,
        hints: new Map([
          ['call_1', HINT],
          ['call_2', HINT],
        ]),
        defused: new Map(),
        closing: { text: 'Answer now,\nwithout tools.', resultsLeftOut: 1 },
      })
      const text = edited.toString()
      expect(text).toContain('Tool budget: \\"20\\" calls.')
      expect(text).toContain('Answer now,\\nwithout tools.')
      expect(text).not.toContain('the oldest result')
      expect(text).toContain('the newest result')
      const after = dialect.readRequest(edited)
      expect(after.hasTools).toBe(false)
      expect(after.toolResults).toHaveLength(request.toolResults.length)
    })

    it('I9: keeps a forced tool or schema in the closing call', () => {
      for (const options of [{ forcesTool: true }, { forcesTool: false, asksForSchema: true }]) {
        const request = dialect.readRequest(requestBody({ isStream: true, ...options }))
        const edited = dialect.readRequest(dialect.editRequest(request, { closing: { text: 'Close.' } }))
        expect(edited.isFormForced).toBe(true)
        // A schema needs no tool: whether a tool may still be called is up to the dialect.
        if (options.forcesTool) expect(edited.hasTools).toBe(true)
        expect(edited.body.toString()).toContain('Close.')
      }
    })

    it('removes all tools if the upstream refuses unused ones', () => {
      const request = read()
      const edited = dialect.editRequest(request, { closing: { text: 'Close.', withoutTools: true } })
      expect(dialect.readRequest(edited)).toMatchObject({ hasTools: false, providerTools: [] })
      expect(JSON.parse(edited.toString())).not.toHaveProperty('tools')
    })

    it('counts a part by its text, and recognizes it again', () => {
      const { parts } = read().prompt()
      expect(parts.length).toBeGreaterThan(2)
      expect(new Set(parts.map(({ digest }) => digest)).size).toBe(parts.length)
      for (const part of parts) expect(part.bytes).toBeGreaterThan(0)
      const more = dialect
        .readRequest(requestBody({ isStream: true, results: { call_1: 'x', call_2: 'y' } }))
        .prompt().parts
      const changed = parts.filter(({ digest }, index) => more[index]?.digest !== digest)
      expect(changed.length).toBeGreaterThan(0)
      expect(changed.length).toBeLessThan(parts.length)
    })

    it('refuses an unreadable body and names the place', () => {
      for (const body of ['', '[]', '{', '{"model":1}', '{"model":"m","model":"n"}', '{"__proto__":{}}']) {
        expect(() => dialect.readRequest(Buffer.from(body))).toThrow(expect.objectContaining({ code: 'bad_request' }))
      }
    })
  })
}
