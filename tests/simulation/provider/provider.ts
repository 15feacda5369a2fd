import type { ModelAnswer, ModelCallSpec, ModelGrant } from '../../../src/governor/index.ts'
import { zeros } from '../witness/meters.ts'
import type { WitnessReservation } from '../witness/records.ts'
import { spend } from '../witness/spend.ts'
import type { Witness } from '../witness/witness.ts'
import type { SimulatedProcess } from '../world/process.ts'
import { demand } from '../world/violation.ts'
import type { World } from '../world/world.ts'
import { type Draw, draw } from './draw-answer.ts'
import type { Fate } from './fate.ts'
import { booked, type Used } from './prices.ts'

/** An error of the provider or of the way to it; never the product's. */
export class ProviderError extends Error {
  readonly status: number | undefined
  /** As clients give them with a status. */
  readonly headers: object | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.name = 'ProviderError'
    this.status = status
    this.headers = status === undefined ? undefined : {}
  }
}

export type CallOfModel = ModelCallSpec & { readonly model: string }

export interface Provider {
  /** The answer, over the process's own connection. What it really costs is in the provider's book, whatever arrives. */
  send(process: SimulatedProcess, call: CallOfModel, grant: ModelGrant): Promise<ModelAnswer<null>>
}

/**
 * A provider that generates what it is asked for, and bills it. `nextFate` says what goes wrong on the way; `fail`
 * hears of calls that must not have left.
 */
export function createProvider(
  world: World,
  witness: Witness,
  nextFate: () => Fate,
  fail: (error: Error) => void,
): Provider {
  return {
    send(process, call, grant) {
      const record = witness.reservations.get(grant.reservationId)
      try {
        demandReserved(record, call, grant)
      } catch (error) {
        fail(error as Error)
        throw error
      }
      record!.isUsed = true
      record!.isKnown = false
      record!.expected = { kind: 'worst' }
      const fate = nextFate()
      const drawn = draw(world.dice, fate, call, grant.maxOutputTokens)
      world.trace.note(process.name, 'call', grant.reservationId, call.model, grant.maxOutputTokens, fate)
      return new Promise((resolve, reject) => {
        const giveUp = (): void => reject(new ProviderError('aborted'))
        if (grant.signal.aborted) return giveUp()
        grant.signal.addEventListener('abort', giveUp, { once: true })
        const latencyMs = world.dice.whole(20, 900)
        // The provider goes on whatever becomes of the process; only what it answers goes through the process's gate.
        world.after(latencyMs, () => bill(world, record!, drawn))
        const arrivesMs = latencyMs + world.dice.whole(5, 200)
        const arrive = (): void => {
          if (grant.signal.aborted) return
          try {
            resolve(deliver(record!, drawn, grant))
          } catch (error) {
            reject(error)
          }
        }
        world.after(arrivesMs, arrive, process)
      })
    },
  }
}

/** Law 7: the reservation is there before the call leaves, for this call alone, and covers the worst of it. */
function demandReserved(record: WitnessReservation | undefined, call: CallOfModel, grant: ModelGrant): void {
  const id = grant.reservationId
  demand(record !== undefined && record.state !== 'settled' && record.state !== 'released', 'law 7', () => {
    return `a call left under ${id}, which is ${record?.state ?? 'not there'}`
  })
  demand(!record!.isUsed, 'law 5', () => `a second call left under ${id}`)
  const worst: Used = {
    model: call.model,
    phase: call.phase,
    inputTokens: call.inputTokens,
    cachedTokens: 0,
    outputTokens: grant.maxOutputTokens,
  }
  const isCovered = booked(worst).every((amount, index) => amount <= record!.amounts[index]!)
  demand(
    isCovered,
    'clamp',
    () => `a call left under ${id} with an output cap of ${grant.maxOutputTokens}, which is not reserved`,
  )
}

function bill(world: World, record: WitnessReservation, { used, excess }: Draw): void {
  if (used === null) return
  const amounts = booked(used)
  world.trace.note('provider', 'bills', record.id, amounts.join(','))
  spend(record, amounts, excess ?? zeros())
}

/** Hands the caller what arrives, and notes what it must charge for that. An error is thrown. */
function deliver(record: WitnessReservation, drawn: Draw, grant: ModelGrant): ModelAnswer<null> {
  const { used, fate, usage, reported, told } = drawn
  if (fate === 'refused') {
    record.expected = { kind: 'nothing' }
    throw new ProviderError('overloaded', 529)
  }
  if (fate === 'lost') throw new ProviderError('the connection was reset')
  if (fate === 'timed-out') throw new ProviderError('a proxy has waited for too long', 504)
  grant.firstByte()
  if (fate === 'truncated' || fate === 'broken') {
    if (reported !== null) grant.report({ usage: reported })
    if (told !== null) record.expected = { kind: 'exact', amounts: booked(told) }
    throw new ProviderError('the stream ended early', fate === 'broken' ? 529 : undefined)
  }
  record.isKnown = true
  // Usage that is none is worth nothing: the whole of what was reserved is charged.
  if (fate !== 'malformed') record.expected = { kind: 'exact', amounts: booked(used!) }
  // A malformed one is not a usage, whatever its type says.
  return { value: null, usage: usage as ModelAnswer<null>['usage'] }
}
