import { type AssumeOutcome, InvalidOptionError } from '../../core/index.ts'
import type { Operator } from '../operator.ts'
import { amountsView } from '../views/amounts-view.ts'
import { type UnseenHolder, unseenHolders } from './unseen-holders.ts'

export interface DeclaredDead extends AssumeOutcome {
  readonly holder: string
}

/** Charges in full what a process left open. Only a person can know that this process is gone. */
export async function declareDead(operator: Operator, text: string, reason: string): Promise<DeclaredDead> {
  const { store, by, nowMs } = operator
  const { holder } = await findUnseen(operator, text)
  return { holder, ...(await store.assume({ holder, by, reason, atMs: nowMs() })) }
}

export function declaredDeadView({ holder, reservations, orphanedScopes }: DeclaredDead) {
  const assumed = reservations.map(({ reservationId: id, scopeId, charged }) => {
    return { id, scopeId, charged: amountsView(charged) }
  })
  return { holder, assumed, orphanedScopes }
}

/** Matches the whole holder, or its beginning or end if only one matches. */
async function findUnseen(operator: Operator, text: string): Promise<UnseenHolder> {
  const isText = (holder: string): boolean => {
    return holder === text || (text !== '' && (holder.startsWith(text) || holder.endsWith(text)))
  }
  const found = (await unseenHolders(operator)).filter(({ holder }) => isText(holder))
  const [first] = found
  const place = 'The holder'
  if (first === undefined) {
    const isSeen = (await operator.store.holders()).some(
      ({ holder }) => isText(holder) && operator.isHolderAlive(holder) === true,
    )
    const form = 'a holder that `stint assumed list` shows as not visible from here'
    throw new InvalidOptionError(place, text, isSeen ? `${form}; this one runs on this machine: end its process` : form)
  }
  if (found.length > 1) throw new InvalidOptionError(place, text, `the full name of one of ${found.length} holders`)
  if (first.isBeating) throw new InvalidOptionError(place, text, 'a holder that has been silent for a minute')
  return first
}
