import type { Breaches, Meter } from '../../../core/index.ts'

/** Calls and children wait apart: a child that waits for siblings to end must not keep their calls waiting. */
type Lane = 'call' | 'open'

/** What somebody asks for, as far as the order of those who wait goes. */
export interface LineAsk {
  readonly lane: Lane
  /** The scopes whose limits it asks, and the meters that it asks of them. */
  readonly scopes: readonly string[]
  readonly meters: readonly Meter[]
}

/** Somebody who waits for room. */
export interface Waiter extends LineAsk {
  /** The scopes whose pause or end concerns it, the root first. */
  readonly path: readonly string[]
  /** What it was short of when it last asked; the first of them is the queue that it stands in. */
  readonly short: Breaches
  /** Asks again; `true` if it is done waiting, one way or the other. */
  tryAgain(): Promise<boolean>
}

/** How often the line was woken and looked through. */
export interface LineMoment {
  readonly wakes: number
  readonly rechecks: number
}

/** Those who wait, first come first served for each meter of a scope. */
export interface WaitingLine {
  readonly length: number
  /** What those are short of who came earlier and wait for the same; `null` if there are none. */
  ahead(ask: LineAsk): Breaches | null
  /** What has been said so far, to be handed to `join`. */
  moment(): LineMoment
  /** Stands in line. What was said since that moment, while it was still being told to wait, is not missed. */
  join(waiter: Waiter, since: LineMoment): void
  leave(waiter: Waiter): void
  /** Something may have come free on these scopes: lets those who wait for them ask again, in order. */
  wake(scopeIds: readonly string[]): void
  /** Something may have come free anywhere, by somebody else's doing. */
  wakeAll(): void
  /** A scope was paused or halted: everybody in it or below asks again, wherever it waits. */
  recheck(scopeId: string): void
}

interface Queue {
  readonly scopeId: string
  readonly lane: Lane
  readonly meter: Meter
  /** By the order of arrival. Those who left are skipped when it is their turn. */
  readonly tickets: Ticket[]
  first: number
}

interface Ticket {
  readonly number: number
  readonly waiter: Waiter
  /** `null` once it has left. */
  queue: Queue | null
}

/**
 * One queue for each meter of a scope. If the first in a queue still has no room, those behind it keep waiting, so that
 * a large call is not starved by small ones, and a wake costs the same however many wait.
 */
export function createWaitingLine(): WaitingLine {
  const queues = new Map<string, Queue[]>()
  const tickets = new Map<Waiter, Ticket>()
  const freed = new Set<string>()
  const toRecheck = new Set<Ticket>()
  let lastNumber = 0
  let wakes = 0
  let rechecks = 0
  let isRunning = false

  function stand(ticket: Ticket): void {
    const { lane, short } = ticket.waiter
    const [{ scope, meter }] = short
    const ofScope = queues.get(scope) ?? []
    queues.set(scope, ofScope)
    let queue = ofScope.find((each) => each.lane === lane && each.meter === meter)
    if (queue === undefined) {
      queue = { scopeId: scope, lane, meter, tickets: [], first: 0 }
      ofScope.push(queue)
    }
    standIn(queue, ticket)
  }

  function standIn(queue: Queue, ticket: Ticket): void {
    ticket.queue = queue
    let place = queue.tickets.length
    while (place > queue.first && queue.tickets[place - 1]!.number > ticket.number) place--
    queue.tickets.splice(place, 0, ticket)
  }

  function headOf(queue: Queue): Ticket | null {
    const { tickets: line } = queue
    while (queue.first < line.length && line[queue.first]!.queue !== queue) queue.first++
    if (queue.first === line.length || queue.first > MOST_LEFT_BEHIND) {
      line.splice(0, queue.first)
      queue.first = 0
    }
    return line[queue.first] ?? null
  }

  /** The earliest of those who wait for the same in another queue and came before. */
  function aheadOf(ask: LineAsk, before: number, own: Queue | null): Ticket | null {
    for (const scopeId of ask.scopes) {
      for (const queue of queues.get(scopeId) ?? []) {
        if (queue === own || queue.lane !== ask.lane || !ask.meters.includes(queue.meter)) continue
        const head = headOf(queue)
        if (head !== null && head.number < before) return head
      }
    }
    return null
  }

  function remove(ticket: Ticket): void {
    ticket.queue = null
    tickets.delete(ticket.waiter)
  }

  async function serve(queue: Queue): Promise<void> {
    for (let head = headOf(queue); head !== null; head = headOf(queue)) {
      const ahead = aheadOf(head.waiter, head.number, queue)
      if (ahead?.queue != null) {
        standIn(ahead.queue, head)
        continue
      }
      const before = wakes
      if (await head.waiter.tryAgain()) {
        remove(head)
        continue
      }
      if (head.queue !== queue) continue
      const [{ scope, meter }] = head.waiter.short
      if (scope === queue.scopeId && meter === queue.meter) return
      stand(head)
      if (wakes !== before) freed.add(scope)
    }
    forget(queue)
  }

  function forget(queue: Queue): void {
    const left = (queues.get(queue.scopeId) ?? []).filter((each) => each !== queue || headOf(each) !== null)
    if (left.length === 0) queues.delete(queue.scopeId)
    else queues.set(queue.scopeId, left)
  }

  async function run(): Promise<void> {
    while (freed.size > 0 || toRecheck.size > 0) {
      for (const ticket of toRecheck) {
        toRecheck.delete(ticket)
        if (ticket.queue !== null && (await ticket.waiter.tryAgain())) remove(ticket)
      }
      for (const scopeId of freed) {
        freed.delete(scopeId)
        for (const queue of queues.get(scopeId) ?? []) await serve(queue)
      }
    }
    isRunning = false
  }

  function start(): void {
    if (isRunning) return
    isRunning = true
    void run()
  }

  return {
    get length() {
      return tickets.size
    },
    ahead: (ask) => (tickets.size === 0 ? null : (aheadOf(ask, Number.POSITIVE_INFINITY, null)?.waiter.short ?? null)),
    moment: () => ({ wakes, rechecks }),
    join(waiter, since) {
      const ticket: Ticket = { number: ++lastNumber, waiter, queue: null }
      tickets.set(waiter, ticket)
      stand(ticket)
      if (rechecks !== since.rechecks) toRecheck.add(ticket)
      else if (wakes !== since.wakes) freed.add(waiter.short[0].scope)
      else return
      start()
    },
    leave(waiter) {
      const ticket = tickets.get(waiter)
      if (ticket === undefined || ticket.queue === null) return
      const { scopeId } = ticket.queue
      remove(ticket)
      // Whoever stood behind it may be the first now.
      freed.add(scopeId)
      start()
    },
    wakeAll() {
      wakes++
      for (const id of queues.keys()) freed.add(id)
      if (freed.size > 0) start()
    },
    wake(scopeIds) {
      wakes++
      if (tickets.size === 0) return
      for (const id of scopeIds) if (queues.has(id)) freed.add(id)
      if (freed.size > 0) start()
    },
    recheck(scopeId) {
      rechecks++
      for (const ticket of tickets.values()) if (ticket.waiter.path.includes(scopeId)) toRecheck.add(ticket)
      if (toRecheck.size > 0) start()
    },
  }
}

// Places at the front of a queue whose owners have left, before they are cleared away.
const MOST_LEFT_BEHIND = 1_000
