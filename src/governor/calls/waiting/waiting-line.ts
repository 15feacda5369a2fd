import type { Breaches, Meter } from '../../../core/index.ts'

/** Calls and children queue separately: a child that waits for siblings to end must not block their calls. */
type Lane = 'call' | 'open'

/** A request, as far as the order of the queues is concerned. */
export interface LineAsk {
  readonly lane: Lane
  /** The scopes whose limits it is checked against, and the meters it needs. */
  readonly scopes: readonly string[]
  readonly meters: readonly Meter[]
}

/** A caller waiting for room. */
export interface Waiter extends LineAsk {
  /** The scopes whose pause or end affects it, root first. */
  readonly path: readonly string[]
  /** What it was short of at its last attempt; the first entry is the queue it is in. */
  readonly short: Breaches
  /** Tries again; `true` if it has stopped waiting, with or without success. */
  tryAgain(): Promise<boolean>
}

/** How many times the line was woken and scanned. */
export interface LineMoment {
  readonly wakes: number
  readonly rechecks: number
}

/** The callers waiting for room: first come, first served for each meter of a scope. */
export interface WaitingLine {
  readonly waiting: ReadonlyMap<Waiter, unknown>
  /** The current moment, to be passed to `join`. */
  readonly moment: LineMoment
  /** What earlier callers waiting for the same room are short of; `null` if there are none. */
  ahead(ask: LineAsk): Breaches | null
  /** Joins the line. Wakes since that moment, while the refusal was on its way, are not missed. */
  join(waiter: Waiter, since: LineMoment): void
  leave(waiter: Waiter): void
  /** Room may be free on these scopes: their waiters try again, in order. */
  wake(scopeIds: readonly string[]): void
  /** Room may be free anywhere, because of another process. */
  wakeAll(): void
  /** A scope was paused or halted: every waiter in it or below it tries again, whichever queue it is in. */
  recheck(scopeId: string): void
}

interface Queue {
  readonly scopeId: string
  readonly lane: Lane
  readonly meter: Meter
  /** In order of arrival. Waiters that left are skipped when their turn comes. */
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
 * One queue for each meter of a scope. If the first in a queue still does not fit, those behind it keep waiting: small
 * calls cannot starve a large one, and a wake costs the same however many wait.
 */
export function createWaitingLine(): WaitingLine {
  const queues = new Map<string, Queue[]>()
  const tickets = new Map<Waiter, Ticket>()
  const freed = new Set<string>()
  const toRecheck = new Set<Ticket>()
  let lastNumber = 0
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

  /** The earliest waiter for the same room in another queue that arrived before. */
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
      const before = line.moment.wakes
      if (await head.waiter.tryAgain()) {
        remove(head)
        continue
      }
      if (head.queue !== queue) continue
      const [{ scope, meter }] = head.waiter.short
      if (scope === queue.scopeId && meter === queue.meter) return
      stand(head)
      if (line.moment.wakes !== before) freed.add(scope)
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

  const line: WaitingLine & { moment: LineMoment } = {
    waiting: tickets,
    moment: { wakes: 0, rechecks: 0 },
    ahead: (ask) => (tickets.size === 0 ? null : (aheadOf(ask, Number.POSITIVE_INFINITY, null)?.waiter.short ?? null)),
    join(waiter, since) {
      const ticket: Ticket = { number: ++lastNumber, waiter, queue: null }
      tickets.set(waiter, ticket)
      stand(ticket)
      if (line.moment.rechecks !== since.rechecks) toRecheck.add(ticket)
      else if (line.moment.wakes !== since.wakes) freed.add(waiter.short[0].scope)
      else return
      start()
    },
    leave(waiter) {
      const ticket = tickets.get(waiter)
      if (ticket === undefined || ticket.queue === null) return
      const { scopeId } = ticket.queue
      remove(ticket)
      // The one behind it may be first now.
      freed.add(scopeId)
      start()
    },
    wakeAll() {
      line.moment = { wakes: line.moment.wakes + 1, rechecks: line.moment.rechecks }
      for (const id of queues.keys()) freed.add(id)
      if (freed.size > 0) start()
    },
    wake(scopeIds) {
      line.moment = { wakes: line.moment.wakes + 1, rechecks: line.moment.rechecks }
      if (tickets.size === 0) return
      for (const id of scopeIds) if (queues.has(id)) freed.add(id)
      if (freed.size > 0) start()
    },
    recheck(scopeId) {
      line.moment = { ...line.moment, rechecks: line.moment.rechecks + 1 }
      for (const ticket of tickets.values()) if (ticket.waiter.path.includes(scopeId)) toRecheck.add(ticket)
      if (toRecheck.size > 0) start()
    },
  }
  return line
}

// Abandoned places at the front of a queue before they are cleared.
const MOST_LEFT_BEHIND = 1_000
