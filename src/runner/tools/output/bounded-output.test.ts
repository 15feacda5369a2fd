import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createArtifacts } from './artifacts.ts'
import { boundText, createBoundedOutput } from './bounded-output.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stint-output-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('the output of a tool', () => {
  it('is shown whole if it is short, and nothing is written', () => {
    const folder = newFolder()
    expect(boundText('é'.repeat(100), 'grep', createArtifacts(folder))).toBe('é'.repeat(100))
    expect(readdirSync(folder)).toEqual([])
  })

  it('is all in a file if it is long, in whatever pieces it comes', () => {
    const folder = newFolder()
    const artifacts = createArtifacts(join(folder, 'new'))
    const text = Array.from({ length: 20_000 }, (_, index) => `line ${index} é`).join('\n')
    const bytes = Buffer.from(text)
    for (const size of [7, 1_000, 70_000, bytes.length]) {
      const output = createBoundedOutput('bash', artifacts)
      for (let at = 0; at < bytes.length; at += size) output.add(bytes.subarray(at, at + size))
      const shown = output.end()
      const [, path] = /all of it is in (\S+),/.exec(shown) ?? []
      expect(readFileSync(path!, 'utf8')).toBe(text)
      expect(shown.length).toBeLessThan(30_300)
      expect(shown).toMatch(/^line 0 é\n/)
      expect(shown).toMatch(/line 19999 é$/)
      expect(shown).not.toContain('\uFFFD')
    }
    expect(readdirSync(join(folder, 'new'))).toHaveLength(4)
  })

  it('overwrites no file, and says so if it cannot create one', () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'bash-1.txt'), 'from before')
    const text = 'x'.repeat(50_000)
    expect(boundText(text, 'bash', createArtifacts(folder))).toContain('bash-2.txt')
    expect(readFileSync(join(folder, 'bash-1.txt'), 'utf8')).toBe('from before')
    const nowhere = createArtifacts(join(folder, 'bash-1.txt', 'x'))
    expect(boundText(text, 'bash', nowhere)).toContain('20000 bytes are not shown and were not saved')
    expect(boundText(text, '../../evil', createArtifacts(folder))).toContain(join(folder, '______evil-1.txt'))
  })
})
