import { describe, expect, it } from 'vitest'
import { createPsProcessTable } from './ps-process-table.ts'

const LIST = `
    1     0     1     0 Ss   Mon Nov 16 04:55:01 2026
  501   500   501  1000 S+   Mon Nov 16 05:00:00 2026
  502   501   501  1000 Z+   Mon Nov 16 05:00:01 2026
`

describe('the processes that `ps` lists', () => {
  const asked: string[] = []
  const table = createPsProcessTable((args) => {
    asked.push(args.join(' '))
    return args[0] === 'eww' ? 'node STINT_RUN=forged agent.mjs PATH=/bin STINT_RUN=run-1 HOME=/h' : LIST
  }, 1000)

  it('are the running ones of one user', () => {
    expect(table.list()).toEqual([
      { pid: 501, parentPid: 500, groupId: 501, sessionId: null, start: 'Mon Nov 16 05:00:00 2026' },
    ])
    expect(table.look(501)).toMatchObject({ pid: 501 })
    expect(asked.at(-1)).toContain('-p 501')
  })

  it('have variables after their arguments', () => {
    expect(table.variableOf(501, 'STINT_RUN')).toBe('run-1')
    expect(table.variableOf(501, 'STINT_SCOPE')).toBeNull()
  })

  it('are none if `ps` does not answer', () => {
    const silent = createPsProcessTable(() => null, 1000)
    expect([silent.list(), silent.look(1), silent.variableOf(1, 'A')]).toEqual([[], null, null])
  })
})
