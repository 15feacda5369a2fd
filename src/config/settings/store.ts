import { placeAt, problemAt } from '../problem-at.ts'
import { parsedElsewhere } from '../schema-forms.ts'
import { setting } from '../setting.ts'
import { parseStoreAddress, STORE_ADDRESS_PATTERN, type StoreAddress } from '../store-address.ts'
import { shownValue } from './shown-value.ts'

/** A ledger, and where it was chosen, as a phrase. */
export interface ChosenStore {
  readonly address: StoreAddress
  readonly place: string
}

export const STORE = setting({
  schema: parsedElsewhere({ type: 'string', pattern: STORE_ADDRESS_PATTERN }, 'e.g. sqlite:./ledger.db'),
  description:
    'The ledger: `sqlite:PATH`, `postgres://USER:PASSWORD@HOST:PORT/DATABASE` for many machines, or `"memory:"` (in YAML with quotes) to try things out. A path is relative to the file’s folder; `~/` is your home. Default: the ledger in `STINT_HOME`',
  twoFiles: 'the later one',
  allows: (value) => `keeps the ledger in ${shownValue(value)}`,
  none: null,
  read(written, { document, pathOf, problems }): ChosenStore | null {
    const address = parseStoreAddress(written, pathOf)
    if ('kind' in address) return { address, place: placeAt(document, ['store']) }
    problems.push(problemAt(document, ['store'], address.shown, address.message, address.suggestion))
    return null
  },
})
