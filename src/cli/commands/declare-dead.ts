import { InvalidOptionError, type LedgerStore } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import type { CommandContext } from '../command-context.ts'
import { refuseInsideLedger } from '../ledger/refuse-own-run.ts'
import { type UnseenHolder, unseenHolders } from '../ledger/unseen-holders.ts'
import { amountsJson, amountsText } from '../output/amount-text.ts'
import { countText } from '../output/count-text.ts'
import type { Report } from '../output/report.ts'

/** `stint assumed declare-dead HOLDER`: for a process that only a person can know to be gone. */
export async function declareDead(context: CommandContext, text: string, reason: string): Promise<Report> {
  const { platform, by } = context
  const store = await context.store()
  const { holder } = await findUnseen(context, store, text)
  await refuseInsideLedger(context, store, 'Declaring a process dead')
  const word = { by, reason, atMs: platform.nowMs() }
  const { reservations, orphanedScopes } = await store.assume({ holder, ...word })
  const lines = reservations.map(({ reservationId, scopeId, charged }) => {
    return printable(`  ${reservationId}  ${scopeId}  ${amountsText(charged)}`)
  })
  const charged = `${countText(reservations.length, 'reservation')} charged in full, ${countText(orphanedScopes.length, 'run')} left behind`
  return {
    json: {
      holder,
      assumed: reservations.map(({ reservationId: id, scopeId, charged: amounts }) => {
        return { id, scopeId, charged: amountsJson(amounts) }
      }),
      orphanedScopes,
    },
    text: [`Declared dead: ${printable(holder)}. ${charged}.`, ...lines].join('\n'),
  }
}

/** By its text, or by how that begins or ends, where only one does. */
async function findUnseen(context: CommandContext, store: LedgerStore, text: string): Promise<UnseenHolder> {
  const { platform } = context
  const isText = (holder: string): boolean => {
    return holder === text || (text !== '' && (holder.startsWith(text) || holder.endsWith(text)))
  }
  const found = (await unseenHolders(store, platform)).filter(({ holder }) => isText(holder))
  const [first] = found
  const place = 'stint assumed declare-dead'
  if (first === undefined) {
    const isSeen = (await store.holders()).some(
      ({ holder }) => isText(holder) && platform.isHolderAlive(holder) === true,
    )
    const form = 'a holder that `stint assumed list` shows as one that cannot be seen from here'
    throw new InvalidOptionError(place, text, isSeen ? `${form}; this one runs here: end its process` : form)
  }
  if (found.length > 1) throw new InvalidOptionError(place, text, `the whole of one of ${found.length} holders`)
  if (first.isBeating) throw new InvalidOptionError(place, text, 'a holder that has been silent for a minute')
  return first
}
