import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import type { StintEvent } from '../../core/index.ts'
import { CONVENTION, callAttributes } from './attributes.ts'

interface OpenSpan {
  readonly span: Span
  readonly context: Context
}

// An agent that never ends would keep its span for good.
const MOST_OPEN = 10_000

/** A span for each agent, below that of the agent that started it, and one for each call below its agent. */
export function createScopeSpans(tracer: Tracer): (event: StintEvent) => void {
  const open = new Map<string, OpenSpan>()

  function start(event: Extract<StintEvent, { readonly event: 'agent_started' }>): void {
    const parent = event.parent_scope === null ? undefined : open.get(event.parent_scope)
    const attributes = {
      [CONVENTION.operation]: 'invoke_agent',
      [CONVENTION.agentId]: event.scope,
      [CONVENTION.agentName]: event.agent_name,
      [CONVENTION.conversation]: event.run_id,
      'stint.scope_path': event.scope_path,
      ...(event.agent_type === null ? {} : { 'stint.agent_type': event.agent_type }),
    }
    const options = { kind: SpanKind.INTERNAL, startTime: timeOf(event), attributes }
    const context = parent?.context ?? ROOT_CONTEXT
    const span = tracer.startSpan(`invoke_agent ${event.agent_name}`, options, context)
    open.set(event.scope, { span, context: trace.setSpan(context, span) })
    const [oldest] = open
    if (open.size > MOST_OPEN && oldest !== undefined) end(oldest[0], timeOf(event))
  }

  function end(scope: string, at: number): void {
    open.get(scope)?.span.end(at)
    open.delete(scope)
  }

  function call(event: Extract<StintEvent, { readonly event: 'call_settled' | 'reservation_assumed' }>): void {
    const at = timeOf(event)
    const startTime = event.event === 'call_settled' ? at - event.duration_ms : at
    const title = { model: 'chat', tool: 'execute_tool', other: 'call' }[event.call]
    const name = event.call_name === null ? title : `${title} ${event.call_name}`
    const kind = event.call === 'model' ? SpanKind.CLIENT : SpanKind.INTERNAL
    const context = open.get(event.scope)?.context ?? ROOT_CONTEXT
    const span = tracer.startSpan(name, { kind, startTime, attributes: callAttributes(event) }, context)
    if (event.event === 'call_settled' && event.refused) {
      span.setAttribute(CONVENTION.error, 'refused')
      span.setStatus({ code: SpanStatusCode.ERROR })
    }
    span.end(at)
  }

  /** What happened to an agent, on its span. */
  function note(event: StintEvent, attributes: Readonly<Record<string, string | number>>): void {
    open.get(event.scope)?.span.addEvent(event.event, attributes, timeOf(event))
  }

  return (event) => {
    switch (event.event) {
      case 'agent_started':
        return start(event)
      case 'call_settled':
      case 'reservation_assumed':
        return call(event)
      case 'limit_exceeded':
      case 'limit_nearing':
        return note(event, { 'stint.meter': event.limit_kind, 'stint.used': event.used, 'stint.limit': event.limit })
      case 'alert_raised':
        return note(event, { 'stint.rule': event.rule, 'stint.value': event.value })
      case 'agent_paused':
      case 'agent_resumed':
        return note(event, {})
      case 'scope_closed': {
        const span = open.get(event.scope)?.span
        span?.setAttribute('stint.status', event.status)
        if (event.status !== 'completed' && event.status !== 'detached') {
          span?.setAttribute(CONVENTION.error, event.status)
          span?.setStatus({ code: SpanStatusCode.ERROR })
        }
        return end(event.scope, timeOf(event))
      }
    }
  }
}

function timeOf({ ts }: StintEvent): number {
  return Date.parse(ts)
}
