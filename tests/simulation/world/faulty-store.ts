import type { LedgerStore } from '../../../src/core/index.ts'
import type { Applied } from '../witness/apply-operation.ts'
import type { SimulatedProcess, StoreFaults } from './process.ts'
import type { World } from './world.ts'

/** Which operations only look. */
const READS = ['read', 'document', 'requests', 'list', 'count', 'reservations', 'holders', 'poll'] as const
const WRITES = [
  'open',
  'close',
  'reserve',
  'settle',
  'release',
  'assume',
  'hold',
  'setLimits',
  'pause',
  'resume',
  'note',
  'ask',
  'answer',
] as const

type ReadName = (typeof READS)[number]
type WriteName = (typeof WRITES)[number]
type Operation = (request: unknown) => Promise<unknown>

export interface FaultyStoreOptions {
  readonly world: World
  readonly process: Pick<SimulatedProcess, 'name' | 'isDead' | 'stalledUntilMs'>
  readonly faults: StoreFaults
  readonly inner: LedgerStore
  /** Hears of everything that took effect, also where nobody else does. */
  readonly saw: (applied: Applied) => void
  readonly hit: (fault: 'store outage' | 'disk full' | 'lost store answer' | 'slow store') => void
  readonly storeError: (message: string) => Error
  /** Whether the store notices by itself that the disk is full, and fails for it. */
  readonly hasDisk: boolean
}

/**
 * A store as a process reaches it: every operation takes its time, may fail before or after it took effect, and
 * answers only a process that is still there. Between its effect and its answer anything can happen.
 */
export function createFaultyStore(options: FaultyStoreOptions): LedgerStore {
  const { world, process, faults, inner, saw, hit, storeError, hasDisk } = options
  const { dice } = world

  const travelMs = (): number => {
    if (faults.slow === 0) return dice.whole(0, 3)
    faults.slow--
    hit('slow store')
    return dice.whole(500, 6_000)
  }

  function failure(isWrite: boolean): Error | null {
    if (faults.outages > 0) {
      faults.outages--
      hit('store outage')
      return storeError('the store cannot be reached')
    }
    if (!isWrite || hasDisk || faults.fullDisk === 0) return null
    faults.fullDisk--
    hit('disk full')
    return storeError('the disk is full')
  }

  function read(name: ReadName): Operation {
    const operation = inner[name] as Operation
    return (request) =>
      new Promise((resolve, reject) => {
        world.after(
          name === 'poll' ? 1 : travelMs(),
          () => {
            const error = name === 'poll' ? null : failure(false)
            if (error === null) return void operation(request).then(resolve, reject)
            world.trace.note(process.name, name, describe(request), 'FAILED', error.message)
            reject(error)
          },
          process,
        )
      })
  }

  function write(name: WriteName): Operation {
    const operation = inner[name] as Operation
    return (request) =>
      new Promise((resolve, reject) => {
        const answer = (end: () => void): void => void world.after(travelMs(), end, process)
        world.after(
          travelMs(),
          () => {
            const error = failure(true)
            if (error !== null) {
              world.trace.note(process.name, name, describe(request), 'FAILED', error.message)
              return answer(() => reject(error))
            }
            operation(request).then(
              (outcome) => {
                world.trace.note(process.name, name, describe(request), describe(outcome))
                saw({ name, request, outcome } as Applied)
                if (faults.lostAnswers === 0) return answer(() => resolve(outcome))
                faults.lostAnswers--
                hit('lost store answer')
                world.trace.note(process.name, name, 'ANSWER LOST')
                answer(() => reject(storeError('the answer of the store was lost')))
              },
              (thrown) => answer(() => reject(thrown)),
            )
          },
          process,
        )
      })
  }

  const reads = READS.map((name) => [name, read(name)])
  const writes = WRITES.map((name) => [name, write(name)])
  const operations = Object.fromEntries([...reads, ...writes])
  // Keys are the wire's, which is not simulated: `inner` has them as they are.
  return { ...inner, ...operations, isShared: true, dispose: () => inner.dispose() } as LedgerStore
}

const SHOWN = [
  'scopeId',
  'reservationId',
  'holder',
  'kind',
  'units',
  'status',
  'verdict',
  'requestId',
  'closing',
  'owner',
]

/** The few words of a request or an answer that a trace needs. */
function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = value as Readonly<Record<string, unknown>>
  const shown = SHOWN.filter((field) => fields[field] !== undefined && fields[field] !== false)
  return shown.map((field) => `${field}=${String(fields[field])}`).join(' ')
}
