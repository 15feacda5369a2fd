import { type Part, startProcess } from '../gateway/start-process.ts'
import type { Spent } from '../spend.ts'

/** A process with callers, which spend when they are told to. */
export interface Spending {
  spend(forMs: number): Promise<Spent>
  /** Reserves and settles until nothing more is granted. */
  race(): Promise<{ readonly granted: number }>
  end(): Promise<void>
}

const SCRIPT = new URL('./spending-process.ts', import.meta.url)

export async function startSpending(
  kind: 'naive' | 'stint',
  url: string,
  scopeId: string,
  callers: number,
): Promise<Spending> {
  const part: Part = await startProcess(SCRIPT, [kind, url, scopeId, String(callers)])
  return { spend: (forMs) => part.ask({ forMs }), race: () => part.ask({ race: true }), end: part.end }
}
