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

describe('what is kept of a command', () => {
  it('comes back whole', () => {
    expect(readExecDocument(JSON.parse(JSON.stringify(DOCUMENT)))).toEqual(DOCUMENT)
  })

  it.each([null, 'exec', { kind: 'chat' }, { ...DOCUMENT, args: [1] }, { ...DOCUMENT, command: null }])(
    'is not taken from what another program kept: %o',
    (value) => {
      expect(readExecDocument(value)).toBeNull()
    },
  )
})

describe('a command that goes on', () => {
  it('goes on in the conversation that Claude Code was in', () => {
    expect(resumedArgs(DOCUMENT)).toEqual(['--resume', 'session-1', '-p', 'fix the tests'])
    const chosen = ['--session-id', 'old', '-p', '--continue', '--resume=older', 'go']
    expect(resumedArgs({ ...DOCUMENT, args: chosen })).toEqual(['--resume', 'session-1', '-p', 'go'])
  })

  it('starts from its beginning where it told of no conversation, or is another program', () => {
    expect(resumedArgs({ ...DOCUMENT, sessionId: null })).toEqual(DOCUMENT.args)
    expect(resumedArgs({ ...DOCUMENT, command: 'node' })).toEqual(DOCUMENT.args)
  })
})
