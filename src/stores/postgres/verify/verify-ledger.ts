import { codeOf, messageOf } from '../../../core/checks/thrown.ts'
import { columnsOf } from '../../records/rows/columns-of.ts'
import { UnreadableRowError } from '../../records/rows/unreadable-row-error.ts'
import type { LedgerProblem, ReportProblem } from '../../records/verify/ledger-problem.ts'
import { assertLedger } from '../assert-ledger.ts'
import type { Session } from '../database/connections.ts'
import { addressIn } from '../database/database-address.ts'
import { reading, withDatabase } from '../with-database.ts'
import { type VerifiedRoot, verifyRoot } from './verify-root.ts'

const ROOTS = columnsOf('roots')

export interface VerifyReport {
  /** `HOST:PORT/DATABASE`. */
  readonly database: string
  readonly ok: boolean
  readonly entries: number
  readonly roots: number
  readonly scopes: number
  /** In the order they were found; bounded. */
  readonly problems: readonly LedgerProblem[]
}

const MOST_PROBLEMS = 100

/**
 * Adds up a whole ledger from its journal and compares: every hash of every chain, and every counter, scope and
 * reservation. Goes tree by tree, each in one consistent state and in parts. Changes nothing, takes no lock, and works
 * on a replica.
 */
export async function verifyLedger(url: string): Promise<VerifyReport> {
  const { place } = addressIn('verifyLedger', url)
  const seen = await withDatabase('verifyLedger', url, async (session) => {
    await reading(session, () => assertLedger(session, place))
    return verifyAll(session, (work) => patiently(() => reading(session, work)))
  })
  return { database: place, ok: seen.problems.length === 0, ...seen }
}

/** `inMoment` runs work on one consistent state, and may run it again. */
export async function verifyAll(
  session: Session,
  inMoment: <Result>(work: () => Promise<Result>) => Promise<Result>,
): Promise<Omit<VerifyReport, 'database' | 'ok'>> {
  const problems: LedgerProblem[] = []
  const seen = { entries: 0, roots: 0, scopes: 0 }
  const report: ReportProblem = (problem) => {
    if (problems.length < MOST_PROBLEMS) problems.push(problem)
  }
  for (let root = await inMoment(() => rootAfter(session, '')); root !== null; ) {
    const now: string = root
    const [found, { entries, scopes }, next] = await inMoment(async () => {
      const found: LedgerProblem[] = []
      const verified = await verifyReadable(session, now, (problem) => void found.push(problem))
      return [found, verified, await rootAfter(session, now)] as const
    })
    for (const problem of found) report(problem)
    seen.entries += entries
    seen.scopes += scopes
    seen.roots++
    root = next
  }
  for (const problem of await inMoment(() => strangers(session))) report(problem)
  return { ...seen, problems }
}

/** A row that cannot be read is a problem of the ledger; anything else is one of the connection. */
async function verifyReadable(session: Session, root: string, report: ReportProblem): Promise<VerifiedRoot> {
  try {
    return await verifyRoot(session, root, report)
  } catch (error) {
    if (codeOf(error) !== null) throw error
    const { table, row } = error instanceof UnreadableRowError ? error : { table: 'roots', row: root }
    report({ place: table, row, problem: `cannot be read to its end (${messageOf(error)})` })
    return { entries: 0, scopes: 0 }
  }
}

/** The next root by id, whichever table mentions it. */
async function rootAfter(session: Session, root: string): Promise<string | null> {
  const text = `SELECT min(id) AS id FROM (SELECT min(id) AS id FROM roots WHERE id > $1
    UNION ALL SELECT min(root) FROM journal WHERE root > $1
    UNION ALL SELECT min(root) FROM scopes WHERE root > $1) AS mentioned`
  const [row] = await session.query({ text, values: [root] })
  return ROOTS.textOrNull(row!, 'id')
}

/** Rows that belong to no tree. */
async function strangers(session: Session): Promise<readonly LedgerProblem[]> {
  const problems: LedgerProblem[] = []
  for (const [place, text] of STRANGERS) {
    const rows = await session.query({ text: `${text} LIMIT ${MOST_PROBLEMS}`, values: [] })
    for (const row of rows)
      problems.push({ place, row: ROOTS.text(row, 'id'), problem: 'is in no journal: its scope is missing' })
  }
  return problems
}

const STRANGERS: readonly (readonly [place: string, text: string])[] = [
  ['keys', 'SELECT id FROM keys WHERE NOT EXISTS (SELECT 1 FROM scopes WHERE scopes.id = scope)'],
  ['requests', 'SELECT id FROM requests WHERE NOT EXISTS (SELECT 1 FROM scopes WHERE scopes.id = scope)'],
  ['reservations', 'SELECT id FROM calls WHERE NOT EXISTS (SELECT 1 FROM scopes WHERE ordinal = scope)'],
  [
    'counters',
    'SELECT DISTINCT scope AS id FROM counters WHERE NOT EXISTS (SELECT 1 FROM scopes WHERE scopes.id = scope)',
  ],
]

// A replica cancels reads of rows that its primary has removed meanwhile: a retry succeeds.
const IN_THE_WAY = '40001'
const MOST_ATTEMPTS = 5

async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (codeOf(error) !== IN_THE_WAY || attempt === MOST_ATTEMPTS) throw error
    }
  }
}
