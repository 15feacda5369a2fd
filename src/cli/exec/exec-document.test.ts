import { describe, expect, it } from 'vitest'
import { type ExecDocument, readExecDocument, resumedArgs } from './exec-document.ts'

const DOCUMENT: ExecDocument = {
  kind: 'exec',
  command: '/usr/bin/claude',
  args: ['-p', 'fix the tests'],
  workingFolder: '/project',
  sessionId: 'session-1',
  graceMs: 10_000,
  allowedKeys: [],
}

describe('the saved document of a command', () => {
  it('reads back unchanged', () => {
    expect(readExecDocument(JSON.parse(JSON.stringify(DOCUMENT)))).toEqual(DOCUMENT)
  })

  it.each([null, 'exec', { kind: 'chat' }, { ...DOCUMENT, args: [1] }, { ...DOCUMENT, command: null }])(
    'is ignored if another program saved it: %o',
    (value) => {
      expect(readExecDocument(value)).toBeNull()
    },
  )
})

describe('a resumed command', () => {
  it('continues the conversation of Claude Code', () => {
    expect(resumedArgs(DOCUMENT)).toEqual(['--resume', 'session-1', '-p', 'fix the tests'])
    const chosen = ['--session-id', 'old', '-p', '--continue', '--resume=older', 'go']
    expect(resumedArgs({ ...DOCUMENT, args: chosen })).toEqual(['--resume', 'session-1', '-p', 'go'])
  })

  it('restarts from its beginning if there is no known conversation, or it is another program', () => {
    expect(resumedArgs({ ...DOCUMENT, sessionId: null })).toEqual(DOCUMENT.args)
    expect(resumedArgs({ ...DOCUMENT, command: 'node' })).toEqual(DOCUMENT.args)
  })
})
