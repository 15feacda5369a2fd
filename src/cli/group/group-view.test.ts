import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { PLAIN } from '../output/paint.ts'
import { textWidth } from '../output/text-width.ts'
import { createGroupView } from './group-view.ts'

function createStage(isTerminal: boolean, columns = 80, rows = 24) {
  const written: string[] = []
  let nowMs = 0
  const view = createGroupView({
    write: (text) => void written.push(text),
    paint: PLAIN,
    isTerminal,
    screen: () => ({ columns, rows }),
    monotonicMs: () => nowMs,
  })
  const after = (ms: number): void => {
    nowMs += ms
  }
  return { view, written, after }
}

const members = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `g.1.${index + 1}`,
    number: index + 1,
    step: 1,
    agent: 'explore',
    label: `map the tests in every folder that has any, and say which are slow, part ${index + 1}`,
  }))

describe('the view of a group', () => {
  it('says why the first ten agents that never started were refused, counts the others, and says why the last one was', () => {
    const { view, written } = createStage(false)
    view.show({ kind: 'started', id: 'g', path: 'parallel', mode: 'parallel', steps: 1, isResumed: false })
    view.show({ kind: 'step', step: 1, label: 'step 1', members: members(200) })
    view.show({ kind: 'member', id: 'g.1.1', progress: { kind: 'model-call', model: 'm', number: 1 } })
    for (const { id, number } of members(200)) {
      const error = `The limit leaves ${200 - number}, and 250 is requested.`
      view.show({ kind: 'ended', id, status: 'limit-reached', error })
    }
    view.end()
    const lines = written.join('').trimEnd().split('\n')
    expect(lines.filter((line) => line.includes('250 is requested'))).toHaveLength(12)
    expect(lines.at(-1)).toBe('  … 189 more did not start, at last: The limit leaves 0, and 250 is requested.')
  })

  it('shows 200 agents on a terminal of 80 columns and 24 rows without wrapping, and counts the rest', () => {
    const { view, written, after } = createStage(true)
    view.show({ kind: 'started', id: 'g', path: 'parallel', mode: 'parallel', steps: 1, isResumed: false })
    view.show({ kind: 'step', step: 1, label: 'step 1', members: members(200) })
    for (const { id } of members(150)) {
      view.show({
        kind: 'member',
        id,
        progress: { kind: 'tool-call', id: 'x', tool: 'grep', summary: 'y'.repeat(100) },
      })
    }
    after(61_000)
    view.show({ kind: 'pool', rows: [{ meter: 'tokens', name: 'tokens', used: 12_345, max: 50_000 }] })
    view.show({ kind: 'ended', id: 'g.1.1', status: 'completed', error: null })
    const lines = stripVTControlCharacters(written.at(-1)!)
      .split('\n')
      .filter((line) => line !== '')
    expect(lines.length).toBeLessThanOrEqual(14)
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(79)
    expect(lines[0]).toContain('149 running, 1 done, 50 queued · tokens 12.3k of 50k')
    expect(lines[1]).toMatch(/^ {2}2 explore · grep y+/)
    expect(lines.at(-1)).toBe('  … 138 more')
    view.end()
    const length = written.length
    view.show({ kind: 'pool', rows: [] })
    expect(written.slice(length).join('')).toBe('')
  })

  it('prints a line for each end without a terminal, without control sequences', () => {
    const { view, written } = createStage(false)
    view.show({ kind: 'started', id: 'g', path: 'review', mode: 'chain', steps: 2, isResumed: true })
    const [member] = members(1)
    view.show({ kind: 'step', step: 1, label: 'look', members: [{ ...member!, label: 'evil \u001b[31m\nmore' }] })
    view.show({ kind: 'ended', id: 'g.1.1', status: 'failed', error: 'no such key\nat all' })
    view.end()
    expect(written.join('')).toBe(
      'stint: review continues · g\nstint: step 1 of 2: look\n  1.1 explore failed no such key … · evil \\u001b[31m …\n',
    )
  })
})
