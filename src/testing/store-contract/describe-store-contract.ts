import { contractWith } from './contract.ts'
import { describeBadInput } from './describe-bad-input.ts'
import { describeCeilings } from './describe-ceilings.ts'
import { describeEnding } from './describe-ending.ts'
import { describeHolders } from './describe-holders.ts'
import { describeHolds } from './describe-holds.ts'
import { describeKeys } from './describe-keys.ts'
import { describeLimits } from './describe-limits.ts'
import { describeListing } from './describe-listing.ts'
import { describeNotes } from './describe-notes.ts'
import { describePausing } from './describe-pausing.ts'
import { describePolling } from './describe-polling.ts'
import { describeRepeating } from './describe-repeating.ts'
import { describeRequests } from './describe-requests.ts'
import { describeReserving } from './describe-reserving.ts'
import { describeResuming } from './describe-resuming.ts'
import { describeSpawning } from './describe-spawning.ts'
import { describeTwoHandles } from './describe-two-handles.ts'
import { describeWindows } from './describe-windows.ts'
import { describeAlerts } from './histories/describe-alerts.ts'
import { describeHistory } from './histories/describe-history.ts'
import { describeLeases } from './histories/describe-leases.ts'
import { describeSums } from './histories/describe-sums.ts'
import {
  assertSubject,
  type OpenedStore,
  openAlternating,
  openPlain,
  openReopening,
  type StoreUnderTest,
} from './store-under-test.ts'
import type { TestTools } from './test-tools.ts'

const SECTIONS = [
  describeReserving,
  describeRepeating,
  describeWindows,
  describeLimits,
  describeCeilings,
  describeEnding,
  describeSpawning,
  describeHolders,
  describeHolds,
  describePausing,
  describeResuming,
  describeNotes,
  describeRequests,
  describeKeys,
  describeLeases,
  describeListing,
  describePolling,
  describeHistory,
  describeSums,
  describeAlerts,
  describeTwoHandles,
  describeBadInput,
]

/**
 * The contract of a ledger store, as tests that every store runs unchanged. A ledger that can be reopened, or opened
 * several times at once, is tested three times: as it is, reopened before every step, and through alternating handles.
 */
export function describeStoreContract(name: string, subject: StoreUnderTest, tools: TestTools): void {
  assertSubject('describeStoreContract', subject)
  const { reopen, second } = subject
  describeSections(name, () => openPlain(subject), tools)
  if (reopen !== undefined) {
    describeSections(`${name}, opened again before every step`, () => openReopening(subject, reopen), tools)
  }
  if (second !== undefined) {
    describeSections(`${name}, through two handles in turn`, () => openAlternating(subject, second), tools)
  }
}

function describeSections(title: string, openStore: () => Promise<OpenedStore>, tools: TestTools): void {
  tools.describe(title, () => {
    for (const describeSection of SECTIONS) describeSection(contractWith(tools, openStore))
  })
}
