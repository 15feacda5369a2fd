import { NANO_USD_PER_USD } from '../amounts/amounts.ts'
import type { LimitCrossing } from '../decide/crossing.ts'
import type { Breach } from '../limits/breach.ts'
import { describeSource } from '../limits/limit-source.ts'
import type { EventFields, EventHeader, LimitFields, ProgressFields } from './event-fields.ts'
import type { EventName } from './event-names.ts'

/** One event, by its name. */
export type EventOf<Name extends EventName> = EventHeader & { readonly event: Name } & EventFields[Name]

/** Any event, discriminated by `event`. */
export type StintEvent = { [Name in EventName]: EventOf<Name> }[EventName]

export type HeaderDraft<Name extends EventName> = Omit<EventHeader, 'event' | 'seq'> & { readonly event: Name }

/** An event before it is numbered. */
export type EventDraft = { [Name in EventName]: HeaderDraft<Name> & EventFields[Name] }[EventName]

/** The scope that an event is about. */
export interface EventSubject {
  readonly runId: string
  readonly taskId: string | null
  readonly agentName: string
  readonly agentType: string | null
  readonly elapsedMs: number
  readonly accumulatedCostNanoUsd: number
  /** Settled tool calls. */
  readonly turns: number
}

/** What happened, and when (epoch milliseconds). */
export interface EventMoment<Name extends EventName = EventName> {
  readonly event: Name
  readonly atMs: number
}

/** An event about a limit that is near, passed or refused. */
export type LimitEventDraft<Name extends EventName> = HeaderDraft<Name> & LimitFields

/** The header of an event, to spread alongside its fields. */
export function eventHeader<Name extends EventName>(
  moment: EventMoment<Name>,
  subject: EventSubject,
  scope: { readonly id: string; readonly path: string },
): HeaderDraft<Name> {
  return {
    event: moment.event,
    ts: new Date(moment.atMs).toISOString(),
    run_id: subject.runId,
    task_id: subject.taskId,
    agent_name: subject.agentName,
    agent_type: subject.agentType,
    scope: scope.id,
    scope_path: scope.path,
  }
}

/** The progress of the event's subject. */
export function progressFields(subject: EventSubject): ProgressFields {
  return {
    elapsed_ms: subject.elapsedMs,
    accumulated_cost_usd: subject.accumulatedCostNanoUsd / NANO_USD_PER_USD,
    turns: subject.turns,
  }
}

/** The event for a threshold or limit that a settlement passed. */
export function limitEventFromCrossing<Name extends EventName>(
  moment: EventMoment<Name>,
  subject: EventSubject,
  passed: LimitCrossing,
): LimitEventDraft<Name> {
  const { limit, crossing, settled, reserved, held } = passed
  return {
    ...eventHeader(moment, subject, { id: passed.scopeId, path: passed.scopePath }),
    limit_kind: limit.meter,
    limit_name: limit.source.written,
    limit: limit.max,
    threshold: crossing.kind === 'nearing' ? crossing.threshold : null,
    used: settled,
    reserved,
    requested: 0,
    remaining: Math.max(0, limit.max - settled - reserved - held),
    ratio: ratioOf(settled, limit.max),
    exceeded_by: Math.max(0, settled - limit.max),
    action: limit.action,
    source: describeSource(limit.source),
    ...progressFields(subject),
  }
}

/** Every event for a threshold or limit that a settlement passed. */
export function limitEventsFromCrossing(
  atMs: number,
  subject: EventSubject,
  passed: LimitCrossing,
): readonly EventDraft[] {
  const { crossing, limit } = passed
  const drafts: EventDraft[] = []
  if (crossing.kind === 'nearing')
    drafts.push(limitEventFromCrossing({ event: 'limit_nearing', atMs }, subject, passed))
  if (crossing.kind === 'exceeded') {
    drafts.push(limitEventFromCrossing({ event: 'limit_exceeded', atMs }, subject, passed))
  }
  if (crossing.kind !== 'nearing' && limit.action === 'warn') {
    drafts.push(limitEventFromCrossing({ event: 'agent_warning', atMs }, subject, passed))
  }
  return drafts
}

/** The event for a refusal, with the error that names the limit as it was written. */
export function limitEventFromBreach<Name extends EventName>(
  moment: EventMoment<Name>,
  subject: EventSubject,
  breach: Breach,
): LimitEventDraft<Name> & { readonly error: string } {
  return {
    ...eventHeader(moment, subject, { id: breach.scope, path: breach.scopePath }),
    limit_kind: breach.meter,
    limit_name: breach.source.written,
    limit: breach.limit,
    threshold: null,
    used: breach.settled,
    reserved: breach.reserved,
    requested: breach.asked,
    remaining: breach.remaining,
    ratio: ratioOf(breach.settled, breach.limit),
    exceeded_by: Math.max(0, breach.settled + breach.asked - breach.limit),
    action: breach.action,
    source: describeSource(breach.source),
    ...progressFields(subject),
    error: `Agent exceeded ${breach.source.written} limit`,
  }
}

function ratioOf(used: number, limit: number): number | null {
  return limit === 0 ? null : used / limit
}
