import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createContractLedger } from '../../../testing/store-contract/contract-ledger.ts'
import { highWaterFileOf } from '../database/index.ts'
import { editLedger, errorOf, ledgerFile, openLedger, usedLedger, valueIn } from '../ledger-file.fixture.ts'
import { verifyLedger } from './verify-ledger.ts'

const middle = "(SELECT entry FROM journal WHERE root = 'team' AND place = 9)"
const last = "(SELECT max(entry) FROM journal WHERE root = 'team')"
const flipped = (column: string, entry: string): string =>
  `UPDATE journal SET ${column} = replace(${column}, '1', '2') WHERE entry = ${entry}`
const badEntry = (entry: string) => (file: string) => `${valueIn(file, `SELECT ${entry}`)} (of team)`

interface Damage {
  readonly what: string
  readonly sql: string
  readonly place: string
  /** The first bad row, determined before the damage is done. */
  readonly row: string | null | ((file: string) => string)
  readonly problem: RegExp
  /** Whether it is noticed when the ledger is opened, without checking everything. */
  readonly isRefused?: boolean
}

const damages: readonly Damage[] = [
  {
    what: 'one character in the body of an entry',
    sql: `UPDATE journal SET body = replace(body, ',1', ',2') WHERE entry = ${middle}`,
    place: 'journal',
    row: badEntry(middle),
    problem: /its hash does not match/,
  },
  {
    what: 'one byte of a hash',
    sql: `UPDATE journal SET hash = CAST(zeroblob(1) || substr(hash, 2) AS BLOB) WHERE entry = ${middle}`,
    place: 'journal',
    row: badEntry(middle),
    problem: /its hash does not match/,
  },
  {
    what: 'the totals of an entry',
    sql: flipped('totals', middle),
    place: 'journal',
    row: badEntry(middle),
    problem: /its hash does not match/,
  },
  {
    what: 'totals that are taken away',
    sql: `UPDATE journal SET totals = NULL WHERE entry = ${middle}`,
    place: 'journal',
    row: badEntry(middle),
    problem: /its hash does not match/,
  },
  {
    what: 'one character in the body of the last entry',
    sql: `UPDATE journal SET body = replace(body, '"at":1', '"at":2') WHERE entry = ${last}`,
    place: 'journal',
    row: badEntry(last),
    problem: /its hash does not match/,
    isRefused: true,
  },
  {
    what: 'the hash of the last entry',
    sql: `UPDATE journal SET hash = zeroblob(32) WHERE entry = ${last}`,
    place: 'journal',
    row: badEntry(last),
    problem: /its hash does not match/,
    isRefused: true,
  },
  {
    what: 'the totals of the last entry',
    sql: flipped('totals', last),
    place: 'journal',
    row: badEntry(last),
    problem: /its hash does not match/,
    isRefused: true,
  },
  {
    what: 'an entry taken out of the middle',
    sql: `DELETE FROM journal WHERE entry = ${middle}`,
    place: 'journal',
    row: (file) => `${valueIn(file, "SELECT entry FROM journal WHERE root = 'team' AND place = 10")} (of team)`,
    problem: /9 is missing/,
  },
  {
    what: 'two entries that changed places',
    sql: `UPDATE journal SET place = -1 WHERE root = 'team' AND place = 9;
      UPDATE journal SET place = 9 WHERE root = 'team' AND place = 10;
      UPDATE journal SET place = 10 WHERE root = 'team' AND place = -1`,
    place: 'journal',
    row: (file) => `${valueIn(file, "SELECT entry FROM journal WHERE root = 'team' AND place = 10")} (of team)`,
    problem: /its hash does not match/,
  },
  {
    what: 'an entry that was put under another root',
    sql: `UPDATE journal SET root = 'solo', place = 99 WHERE entry = ${last}`,
    place: 'journal',
    row: (file) => `${valueIn(file, `SELECT ${last}`)} (of solo)`,
    problem: /is not the next entry of its chain/,
    isRefused: true,
  },
  {
    what: 'a counter of a root',
    sql: "UPDATE counters SET settled = settled - 1 WHERE scope = 'team' AND settled > 100",
    place: 'counters',
    row: 'team',
    problem: /tokens: settled \d+, reserved 77; its journal adds up to \d+ and 77/,
    isRefused: true,
  },
  {
    what: 'a counter below a root',
    sql: "UPDATE counters SET settled = 0 WHERE scope = 'team/run' AND settled > 100",
    place: 'counters',
    row: 'team/run',
    problem: /tokens: settled 0, reserved 77/,
  },
  {
    what: 'a counter of a window',
    sql: "UPDATE counters SET settled = 0 WHERE scope = 'team' AND start_ms > 0",
    place: 'counters',
    row: 'team',
    problem: /cost\/day of 2026-11-15T00:00:00.000Z \(UTC\): settled 0/,
  },
  {
    what: 'counters that are gone',
    sql: "DELETE FROM counters WHERE scope = 'team/run/agent'",
    place: 'counters',
    row: 'team/run/agent',
    problem: /settled 0, reserved 0; its journal adds up to \d+/,
  },
  {
    what: 'the charge of a reservation',
    sql: `UPDATE calls SET charged = replace(charged, '40', '4') WHERE id = 'orphan'`,
    place: 'reservations',
    row: 'orphan',
    problem: /is assumed .*its journal says assumed/,
  },
  {
    what: 'the amounts of an open reservation',
    sql: `UPDATE calls SET reserved = replace(reserved, '77', '7') WHERE id = 'in flight'`,
    place: 'reservations',
    row: 'in flight',
    problem: /its journal says open/,
  },
  {
    what: 'an open reservation that is called finished',
    sql: `UPDATE calls SET state = 'released' WHERE id = 'in flight'`,
    place: 'reservations',
    row: 'in flight',
    problem: /is released .*its journal says open/,
  },
  {
    what: 'an open reservation that is gone',
    sql: `DELETE FROM calls WHERE id = 'in flight'`,
    place: 'reservations',
    row: 'in flight',
    problem: /is nothing, but its journal says open/,
  },
  {
    what: 'the holder of an open reservation',
    sql: `UPDATE calls SET holder = 'nobody' WHERE id = 'in flight'`,
    place: 'reservations',
    row: 'in flight',
    problem: /nobody.*its journal says open .*process/,
  },
  {
    what: 'a reservation that nobody made',
    sql: `INSERT INTO calls (sequence, id, root, scope, holder, state, at_ms, units, reserved)
      SELECT 999, 'planted', root, scope, holder, state, at_ms, units, reserved FROM calls WHERE id = 'in flight'`,
    place: 'reservations',
    row: 'planted',
    problem: /is in no journal/,
  },
  {
    what: 'a reservation that nobody made, as an earlier version would have stored it',
    sql: `INSERT INTO reservations SELECT 'planted', 'team', holder, state, at_ms, 999, reserved, elastic, units, reserved,
      charged, crossings FROM calls WHERE id = 'in flight'`,
    place: 'reservations',
    row: 'planted',
    problem: /is in no journal/,
  },
  {
    what: 'an event that is gone',
    sql: `DELETE FROM events WHERE event = 'scope_closed'`,
    place: 'events',
    row: 'team',
    problem: /are stored, but \d+ were recorded/,
  },
  {
    what: 'an event that never happened',
    sql: `INSERT INTO events SELECT root, 999, scope, at_ms, event, body FROM events LIMIT 1`,
    place: 'events',
    row: 'team',
    problem: /are stored, but \d+ were recorded/,
  },
  {
    what: 'the facts that a charge was computed from',
    sql: `UPDATE calls SET facts = replace(facts, '30', '3') WHERE facts IS NOT NULL`,
    place: 'reservations',
    row: 'turn 7',
    problem: /\[0,3,.*its journal says .*\[0,30,/,
  },
  {
    what: 'a scope that is gone',
    sql: "DELETE FROM scopes WHERE id = 'team/old'",
    place: 'scopes',
    row: 'team/old',
    problem: /is missing, but its journal has it/,
  },
  {
    what: 'a root that is gone',
    sql: "DELETE FROM scopes WHERE id = 'solo'",
    place: 'scopes',
    row: 'solo',
    problem: /is missing, but its journal has it/,
  },
  {
    what: 'a tree that is gone with its journal',
    sql: `DELETE FROM scopes WHERE id = 'solo'; DELETE FROM counters WHERE scope = 'solo';
      DELETE FROM calls WHERE scope NOT IN (SELECT ordinal FROM scopes); DELETE FROM journal WHERE root = 'solo'`,
    place: 'journal',
    row: null,
    problem: /4 entries are missing/,
  },
  {
    what: 'a scope that nobody opened',
    sql: `INSERT INTO scopes SELECT 999, 'planted', root, parent, 'planted', kind, labels, opened_at, owner, is_orphaned,
      status, is_ended, closed_at, pause, occupies_place, revision, limits, series, active_ms, open_children, change,
      steered, ceilings, about, told, forgotten, watch FROM scopes WHERE id = 'team/run'`,
    place: 'scopes',
    row: 'planted',
    problem: /is in no journal/,
  },
  {
    what: 'a ceiling that was taken away in silence',
    sql: `UPDATE scopes SET ceilings = '[]' WHERE id = 'team/run'`,
    place: 'scopes',
    row: 'team/run',
    problem: /ceilings is \[\], but its journal says \[.*60000/,
  },
  {
    what: 'a limit that was raised in silence',
    sql: `UPDATE scopes SET limits = replace(limits, '50000', '99999') WHERE id = 'team/run'`,
    place: 'scopes',
    row: 'team/run',
    problem: /limits is .*99999.*its journal says .*50000/,
  },
  {
    what: 'a scope that runs although it is paused',
    sql: `UPDATE scopes SET status = 'running', pause = NULL WHERE id = 'team/run/agent'`,
    place: 'scopes',
    row: 'team/run/agent',
    problem: /status is running, but its journal says paused/,
  },
  {
    what: 'a scope that has ended and is open again',
    sql: `UPDATE scopes SET status = 'running', is_ended = 0 WHERE id = 'team/old'`,
    place: 'scopes',
    row: 'team/old',
    problem: /status is running, but its journal says completed/,
  },
  {
    what: 'the number of open children',
    sql: `UPDATE scopes SET open_children = 7 WHERE id = 'team/run'`,
    place: 'scopes',
    row: 'team/run',
    problem: /children is 7, but its journal says 0/,
  },
  {
    what: 'a question that nobody asked',
    sql: `INSERT INTO requests SELECT 'planted', scope, limit_key, status, opened_at, replace(body, 'more', 'planted')
      FROM requests WHERE id = 'more'`,
    place: 'requests',
    row: 'planted',
    problem: /is in no journal/,
  },
  {
    what: 'a question whose answer is made up',
    sql: `UPDATE requests SET status = 'approved', body = replace(body, '"open"', '"approved"') WHERE id = 'more'`,
    place: 'requests',
    row: 'more',
    problem: /is approved, but its journal says open/,
  },
  {
    what: 'something that is no JSON where JSON was',
    sql: `UPDATE scopes SET series = substr(series, 2) WHERE id = 'team/run'`,
    place: 'scopes',
    row: 'team/run',
    problem: /cannot be read/,
  },
  {
    what: 'a scope whose parent is gone',
    sql: `UPDATE scopes SET parent = 'nowhere' WHERE id = 'team/run'`,
    place: 'scopes',
    row: 'nowhere',
    problem: /cannot be read \(it is missing\)/,
  },
]

describe('I2: a ledger with', () => {
  it('nothing wrong verifies, and the result says how much was checked', async () => {
    const file = await usedLedger()
    expect(verifyLedger(file)).toEqual({ file, ok: true, entries: 94, roots: 2, scopes: 5, problems: [] })
  })

  it.each(damages)('$what: the first bad row is named', async ({ sql, place, row, problem }) => {
    const file = await usedLedger()
    const wanted = typeof row === 'function' ? row(file) : row
    editLedger(file, sql)
    const { ok, problems } = verifyLedger(file)
    expect(ok).toBe(false)
    expect(problems[0]).toMatchObject({ place, row: wanted })
    expect(problems[0]!.problem).toMatch(problem)
  })

  it.each(damages)('$what: refused when it is opened, or opened and left unchanged', async ({ sql, isRefused }) => {
    const file = await usedLedger()
    editLedger(file, sql)
    if (isRefused === true) {
      const error = errorOf(() => openLedger(file))
      expect(error).toMatchObject({ code: expect.stringMatching(/^ledger_(damaged|lost_tail)$/), file })
    } else await openLedger(file).dispose()
    expect(verifyLedger(file).ok).toBe(false)
  })
})

describe('the end of a journal', () => {
  it('that is missing is noticed when the ledger is opened, and named', async () => {
    const file = await usedLedger()
    editLedger(file, 'DELETE FROM journal WHERE entry > 90')
    expect(errorOf(() => openLedger(file))).toMatchObject({ code: 'ledger_lost_tail', file })
    expect(verifyLedger(file).problems[0]).toMatchObject({
      place: 'journal',
      row: '90',
      problem: 'ends at entry 90, but already had 94: its end is lost',
    })
  })

  it('that is missing is noticed even without the high-water file', async () => {
    const file = await usedLedger()
    editLedger(file, 'DELETE FROM journal WHERE entry > 90')
    rmSync(highWaterFileOf(file))
    expect(errorOf(() => openLedger(file))).toMatchObject({ code: 'ledger_lost_tail', file })
    expect(verifyLedger(file).problems).toContainEqual(expect.objectContaining({ place: 'journal', row: '90' }))
  })
})

describe('the high-water file', () => {
  it('that is missing is created again when the ledger is opened next; until then it is a problem', async () => {
    const file = await usedLedger()
    rmSync(highWaterFileOf(file))
    expect(verifyLedger(file).problems).toEqual([{ place: 'high-water file', row: null, problem: 'is missing' }])
    const ledger = createContractLedger(openLedger(file))
    await ledger.close('team/run')
    await ledger.store.dispose()
    expect(verifyLedger(file).ok).toBe(true)
  })

  it('that cannot be read is a problem, but stops no operation', async () => {
    const file = await usedLedger()
    writeFileSync(highWaterFileOf(file), 'not a mark\n'.repeat(100))
    expect(verifyLedger(file).problems[0]).toMatchObject({ place: 'high-water file' })
    await openLedger(file).dispose()
  })

  it('of another ledger is a problem', async () => {
    const file = await usedLedger()
    const other = ledgerFile()
    await openLedger(other).dispose()
    writeFileSync(highWaterFileOf(file), readFileSync(highWaterFileOf(other)))
    expect(verifyLedger(file).problems[0]).toMatchObject({ problem: 'belongs to another ledger' })
  })
})

describe('a column that has changed', () => {
  it('is noticed when the ledger is opened', async () => {
    const file = await usedLedger()
    editLedger(file, 'ALTER TABLE counters RENAME COLUMN end_ms TO en$_ms')
    expect(errorOf(() => openLedger(file))).toMatchObject({ code: 'ledger_damaged', file })
    expect(verifyLedger(file).problems[0]).toMatchObject({ place: 'sqlite_schema' })
  })
})
