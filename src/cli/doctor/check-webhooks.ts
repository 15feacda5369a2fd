import { displayAmount } from '../../core/index.ts'
import { webhookHealth } from '../../observe/webhooks/index.ts'
import { countText } from '../../operate/count-text.ts'
import { type Finding, fine, notice, problem } from '../../operate/health/finding.ts'
import type { CommandContext } from '../command-context.ts'

/** The state of each webhook of the config. */
export async function checkWebhooks(context: CommandContext): Promise<readonly Finding[]> {
  const { webhooks } = context.config()
  if (webhooks.size === 0) return []
  const { store, nowMs } = await context.operator()
  const findings: Finding[] = []
  for (const name of webhooks.keys()) {
    const subject = `webhook ${name}`
    const health = await webhookHealth({ store, nowMs }, name)
    if (health === null) {
      findings.push(notice(subject, 'nothing was sent yet', 'Events are sent by `stint serve`.'))
      continue
    }
    const { sent, dropped, failing, isServed } = health
    const sentText = `${countText(sent, 'event')} sent${dropped === 0 ? '' : `, ${dropped} given up`}`
    if (failing !== null) {
      const since = displayAmount('time', Math.max(0, nowMs() - failing.sinceMs))
      const detail = `failing for ${since}, ${countText(failing.attempts, 'attempt')}: ${failing.reason}; ${sentText}`
      findings.push(problem(subject, detail, 'Check the address, and what answers there.'))
    } else if (!isServed) findings.push(notice(subject, `no server sends to it now; ${sentText}`, 'Run `stint serve`.'))
    else findings.push(fine(subject, sentText))
  }
  return findings
}
