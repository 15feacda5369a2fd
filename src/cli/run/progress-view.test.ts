import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { RunProgress } from '../../runner/index.ts'
import { PLAIN } from '../output/paint.ts'
import { createProgressView } from './progress-view.ts'

const STARTED: RunProgress = {
  kind: 'started',
  id: 'task-1',
  path: 'explore',
  agent: 'explore',
  model: 'scripted/play.json',
  isResumed: false,
}

function createView({ isTerminal = false, columns = 80 } = {}) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const written: string[] = []
  let nowMs = 0
  const view = createProgressView({
    write: (text) => void written.push(text),
    paint: PLAIN,
    isTerminal,
    columns: () => columns,
    monotonicMs: () => nowMs,
  })
  return {
    ...view,
    text: () => written.join(''),
    last: () => written.at(-1)!,
    pass(milliseconds: number) {
      nowMs += milliseconds
      vi.advanceTimersByTime(milliseconds)
    },
  }
}

describe('progress without a terminal', () => {
  it('reports a pause once, although the result warns of it too', () => {
    const view = createView()
    view.show(STARTED)
    view.show({ kind: 'paused', message: 'by hand' })
    view.show({ kind: 'warning', message: 'Paused: by hand' })
    view.show({ kind: 'warning', message: 'something else' })
    view.end()
    expect(view.text().match(/by hand/g)).toHaveLength(1)
    expect(view.text()).toContain('stint: something else')
    expect(view.warned()).toContain('Paused: by hand')
  })

  it('prints one line for each tool call, shows failures, and redraws nothing', () => {
    const view = createView()
    view.show(STARTED)
    view.show({ kind: 'model-call', model: 'scripted/play.json', number: 1 })
    view.show({ kind: 'tool-call', id: '1', tool: 'read', summary: 'src/main.ts' })
    view.show({ kind: 'tool-result', id: '1', tool: 'read', end: 'failed' })
    view.show({ kind: 'tool-call', id: '2', tool: 'read', summary: 'src/main.ts' })
    view.show({ kind: 'tool-result', id: '2', tool: 'read', end: 'refused' })
    view.show({ kind: 'tool-result', id: '3', tool: 'mcp__web__fetch', end: 'stopped' })
    view.show({ kind: 'meters', rows: [{ meter: 'toolCalls', name: 'turns', used: 1, max: 5 }] })
    view.show({ kind: 'nearing', message: '4 of 5 tool calls are used' })
    view.end()
    expect(view.text()).toBe(
      [
        'stint: explore runs with scripted/play.json · task-1',
        '  read src/main.ts',
        '  read failed',
        '  read src/main.ts',
        '  read was refused before it ran',
        '  mcp__web__fetch was stopped before it finished',
        'stint: Near a limit: 4 of 5 tool calls are used',
        '',
      ].join('\n'),
    )
  })

  it('shows what a model says before a call, but not its answer', () => {
    const view = createView()
    view.show({ kind: 'text', text: 'First I look around.\nThen I write.' })
    view.show({ kind: 'tool-call', id: '1', tool: 'glob', summary: '**/*.ts' })
    view.show({ kind: 'text', text: 'Done.' })
    view.end()
    expect(view.text()).toBe('  First I look around. …\n  glob **/*.ts\n')
  })

  it('prints a line for each tool call of a subagent at any depth, and how each ended', () => {
    const view = createView()
    const child = (progress: RunProgress): RunProgress => ({ kind: 'child', id: 'task-1.a', name: 'qa-1', progress })
    view.show(STARTED)
    view.show(child({ ...STARTED, id: 'task-1.a', path: 'explore/qa-1' }))
    view.show(child({ kind: 'text', text: 'I look.' }))
    view.show(child({ kind: 'tool-call', id: '1', tool: 'bash', summary: 'npm test' }))
    const below: RunProgress = { kind: 'tool-call', id: '1', tool: 'read', summary: 'a.ts' }
    view.show(child({ kind: 'child', id: 'task-1.a.b', name: 'explore', progress: below }))
    const end = { kind: 'child-ended', status: 'completed', error: null } as const
    view.show(child({ ...end, id: 'task-1.a.b', name: 'explore' }))
    view.show({ ...end, id: 'task-1.a', name: 'qa-1', status: 'limit-reached', error: 'toolCalls is used up' })
    view.end()
    expect(view.text().split('\n').slice(1)).toEqual([
      '    qa-1 runs · task-1.a',
      '    qa-1 bash npm test',
      '    qa-1/explore read a.ts',
      '    qa-1/explore completed',
      '    qa-1 limit-reached toolCalls is used up',
      '',
    ])
  })

  it('prints no control sequences', () => {
    const view = createView()
    view.show({ kind: 'tool-call', id: '1', tool: 'bash', summary: 'echo \u001b[2J\u0007' })
    expect(view.text()).toBe('  bash echo \\u001b[2J\\u0007\n')
  })
})

describe('progress on a terminal', () => {
  it('keeps a status line with the meters below the others, and removes it at the end', () => {
    const view = createView({ isTerminal: true })
    view.show(STARTED)
    view.show({ kind: 'model-call', model: 'scripted/play.json', number: 2 })
    view.show({
      kind: 'meters',
      rows: [
        { meter: 'toolCalls', name: 'turns', used: 1, max: 5 },
        { meter: 'time', name: 'time', used: 2000, max: 600_000 },
      ],
    })
    expect(view.last()).toBe('\r\u001b[2Kstint: explore · model call 2 · turns 1 of 5 · time 2s of 10m\r')
    view.pass(3000)
    expect(view.last()).toContain('time 5s of 10m')
    view.show({ kind: 'tool-call', id: '1', tool: 'read', summary: 'a.ts' })
    expect(view.text()).toContain('\r\u001b[2K  read a.ts\n\r\u001b[2Kstint: explore · read · ')
    view.end()
    expect(view.last()).toBe('\r\u001b[2K')
    const before = view.text()
    view.pass(5000)
    expect(view.text()).toBe(before)
  })

  it("counts running subagents, and cuts lines to the terminal's width", () => {
    const view = createView({ isTerminal: true, columns: 40 })
    view.show(STARTED)
    for (const name of ['qa-1', 'qa-2']) {
      view.show({ kind: 'child', id: name, name, progress: { ...STARTED, id: name, path: `explore/${name}` } })
    }
    expect(view.last()).toContain('stint: explore · 2 subagents')
    const long = { kind: 'tool-call', id: '1', tool: 'bash', summary: 'x'.repeat(80) } as const
    view.show({ kind: 'child', id: 'qa-1', name: 'qa-1', progress: long })
    expect(view.text()).toContain(`    qa-1 bash ${'x'.repeat(24)}…\n`)
    view.show({ kind: 'child-ended', id: 'qa-1', name: 'qa-1', status: 'completed', error: null })
    expect(view.last()).toContain('1 subagent ')
    view.end()
  })

  it("never exceeds the terminal's width, so that it can be removed", () => {
    const view = createView({ isTerminal: true, columns: 20 })
    view.show(STARTED)
    view.show({ kind: 'meters', rows: [{ meter: 'toolCalls', name: 'turns', used: 1, max: 5 }] })
    expect(view.last()).toBe('\r\u001b[2Kstint: explore · …\r')
  })
})
