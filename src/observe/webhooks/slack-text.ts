import type { StintEvent } from '../../core/index.ts'

const LONGEST = 3_000

/** An event as a text for people. Names in it cannot become links or mentions, nor further lines. */
export function slackText(event: StintEvent): string {
  const text = `${TITLES[event.event] ?? event.event} in ${event.scope_path}${detailOf(event)}`
  const oneLine = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
  const cut = oneLine.length > LONGEST ? `${oneLine.slice(0, LONGEST - 1).toWellFormed()}…` : oneLine
  return cut.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const TITLES: Readonly<Record<string, string>> = {
  alert_raised: 'Alert',
  limit_exceeded: 'Limit exceeded',
  limit_nearing: 'Limit nearly used up',
  agent_paused: 'Paused',
  agent_resumed: 'Resumed',
  scope_closed: 'Ended',
  increase_requested: 'Request for more',
}

function detailOf(event: StintEvent): string {
  switch (event.event) {
    case 'alert_raised':
      return `: ${event.message} (${event.rule})`
    case 'limit_exceeded':
    case 'limit_nearing':
    case 'agent_warning':
      return `: ${event.limit_name}, ${event.used} of ${event.limit} used`
    case 'agent_paused':
      return `: ${event.reason}`
    case 'increase_requested':
      return `: ${event.asked} more of its ${event.limit_name} limit: ${event.reason}`
    case 'scope_closed':
      return `: ${event.status}${event.error === undefined ? '' : `, ${event.error}`}`
    default:
      return ''
  }
}
