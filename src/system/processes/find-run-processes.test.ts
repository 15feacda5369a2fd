import { describe, expect, it } from 'vitest'
import { createRunFinder } from './find-run-processes.ts'
import type { ProcessEntry, ProcessTable } from './process-table.ts'
import { isMarked, markRun } from './run-mark.ts'

const entry = (pid: number, parentPid: number, more: Partial<ProcessEntry> = {}): ProcessEntry => ({
  pid,
  parentPid,
  groupId: pid,
  sessionId: pid,
  start: `s${pid}`,
  ...more,
})

function tableOf(entries: () => readonly ProcessEntry[], marks: Readonly<Record<number, string>> = {}): ProcessTable {
  return {
    list: entries,
    look: (pid) => entries().find((each) => each.pid === pid) ?? null,
    variableOf: (pid) => marks[pid] ?? null,
  }
}

const RUN = { pid: 10, runId: 'run-1', leadsGroup: true, ownPid: 5 }
const pids = (entries: readonly ProcessEntry[]) => entries.map(({ pid }) => pid)

describe('the processes of a run', () => {
  it('are those below the command, in its group or session, or with its id', () => {
    const entries = [
      entry(5, 1),
      entry(10, 5),
      entry(11, 10),
      entry(12, 11),
      entry(13, 1, { groupId: 10 }),
      entry(14, 1, { sessionId: 10 }),
      entry(15, 1),
      entry(16, 1),
    ]
    const marks = { 5: 'run-1', 15: 'outer,run-1,inner', 16: 'run-12' }
    expect(
      pids(
        createRunFinder(
          tableOf(() => entries, marks),
          RUN,
        )(),
      ),
    ).toEqual([10, 11, 12, 13, 14, 15])
  })

  it('are not searched among processes older than this one, if the run began here', () => {
    const entries = [
      entry(5, 1, { start: '1000' }),
      entry(10, 5, { start: '1001' }),
      entry(15, 1, { start: '999' }),
      entry(16, 1, { start: '1000' }),
      entry(17, 1, { start: 'Mon Nov 16 2026' }),
    ]
    const read: number[] = []
    const table: ProcessTable = {
      ...tableOf(() => entries),
      variableOf(pid) {
        read.push(pid)
        return 'run-1'
      },
    }
    expect(pids(createRunFinder(table, { ...RUN, beganWithUs: true })())).toEqual([10, 16, 17])
    expect(read).toEqual([16, 17])
    expect(pids(createRunFinder(table, RUN)())).toEqual([10, 15, 16, 17])
  })

  it('exclude those in our own group, if the command has no separate one', () => {
    const entries = [entry(5, 1, { groupId: 5 }), entry(10, 5, { groupId: 5 }), entry(20, 1, { groupId: 5 })]
    expect(
      pids(
        createRunFinder(
          tableOf(() => entries),
          { ...RUN, leadsGroup: false },
        )(),
      ),
    ).toEqual([10])
  })

  it('stay known when their parent is gone, but not when their pid is reused', () => {
    let entries = [entry(10, 5), entry(11, 10), entry(12, 10)]
    const find = createRunFinder(
      tableOf(() => entries),
      RUN,
    )
    expect(pids(find())).toEqual([10, 11, 12])
    entries = [entry(11, 1), entry(12, 1, { start: 'later' })]
    expect(pids(find())).toEqual([11])
  })

  it('include the descendants of a detached process, even with another environment', () => {
    const entries = [
      entry(5, 1),
      entry(10, 5),
      entry(20, 1),
      entry(21, 20),
      entry(22, 1, { sessionId: 20 }),
      entry(23, 22),
      entry(30, 1),
    ]
    const find = createRunFinder(
      tableOf(() => entries, { 20: 'run-1' }),
      RUN,
    )
    expect(pids(find())).toEqual([10, 20, 21, 22, 23])
  })

  it.each([
    ['as ours', 5],
    ['as one that is not known', 99],
  ])('never include those of our own session, seen %s', (_, ownPid) => {
    const inOurs = { groupId: 5, sessionId: 2 }
    const entries = [
      entry(2, 1),
      entry(5, 2, inOurs),
      entry(10, 5, inOurs),
      entry(11, 10, inOurs),
      entry(40, 2, inOurs),
    ]
    const find = createRunFinder(
      tableOf(() => entries),
      { ...RUN, leadsGroup: false, ownPid },
    )
    expect(pids(find())).toEqual([10, 11])
  })

  it('are none once all have ended, even if the command’s pid is reused', () => {
    let entries = [entry(5, 1), entry(10, 5)]
    const find = createRunFinder(
      tableOf(() => entries),
      RUN,
    )
    entries = [entry(5, 1), entry(10, 1, { start: 'later' }), entry(50, 10, { groupId: 10, sessionId: 10 })]
    expect(find()).toEqual([])
  })

  it('carry the mark of every run that they are nested in', () => {
    const mark = markRun(markRun(undefined, 'outer'), 'inner')
    expect([isMarked(mark, 'outer'), isMarked(mark, 'inner'), isMarked(mark, 'out'), isMarked(null, 'outer')]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})
