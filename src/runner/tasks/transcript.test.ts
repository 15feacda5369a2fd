import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTranscript, readTranscript } from './transcript.ts'

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stint-transcript-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'transcript.jsonl')
}

const message = (content: string) => ({ type: 'message', message: { role: 'user', content } }) as const

describe('a transcript', () => {
  it('has its lines in order', async () => {
    const file = temporaryFile()
    const transcript = createTranscript(file, () => {})
    await Promise.all(['a', 'b', 'c'].map((text) => transcript.append(message(text))))
    await transcript.append({ type: 'note', note: 'ended' })
    await transcript.close()
    expect(readTranscript(file)).toEqual(['a', 'b', 'c'].map((content) => ({ role: 'user', content })))
  })

  it('continues after a line that a dying process left half written', async () => {
    const file = temporaryFile()
    writeFileSync(file, `${JSON.stringify(message('a'))}\n{"type":"message","mess`)
    const transcript = createTranscript(file, () => {})
    await transcript.append(message('b'))
    await transcript.close()
    expect(readTranscript(file)).toEqual(['a', 'b'].map((content) => ({ role: 'user', content })))
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4)
  })

  it('reports once that it cannot be written, and never throws', async () => {
    const file = temporaryFile()
    mkdirSync(file)
    const losses: unknown[] = []
    const transcript = createTranscript(file, (error) => losses.push(error))
    await transcript.append(message('a'))
    await transcript.append(message('b'))
    await transcript.close()
    expect(losses).toMatchObject([{ code: 'EISDIR' }])
    expect(readTranscript(file)).toEqual([])
  })
})
