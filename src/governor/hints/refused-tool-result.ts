import { formatAmount } from '../../core/amounts/format-amount.ts'
import { METERS } from '../../core/meter.ts'
import { limitPhrase, type ReachedLimit } from './reached-limit.ts'

/** The result of a tool call that a limit refused: which limit of which scope, its usage, and what to do. */
export function refusedToolResult(breach: ReachedLimit): string {
  const reset = breach.resetsAt === null ? '' : ` It resets at ${new Date(breach.resetsAt).toISOString()}.`
  return (
    `Refused, not run: ${limitPhrase(breach)} of "${breach.scopePath}" does not allow it ` +
    `(${standingWords(breach)}).${reset} ${adviceFor(breach)}`
  )
}

function standingWords({ meter, settled, reserved, asked, remaining }: ReachedLimit): string {
  const show = (amount: number): string => (meter === 'repeat' ? String(amount) : formatAmount(meter, amount))
  return `${show(settled)} settled, ${show(reserved)} reserved, ${show(remaining)} left, ${show(asked)} asked`
}

const FINISH = 'answer with what you have and what is missing.'

function adviceFor({ meter, action }: ReachedLimit): string {
  if (meter === 'spawns' || meter === 'concurrency' || meter === 'depth') return `Do the work yourself, or ${FINISH}`
  if (meter !== 'repeat' && METERS[meter].kind === 'level') return `Do not continue; ${FINISH}`
  if (action === 'pause') return 'The run will be paused. Once it resumes, call this again if you still need it.'
  if (action === 'ask') {
    return 'The run will be paused until more is approved. Once it resumes, call this again if you still need it.'
  }
  return `Do not try again; ${FINISH}`
}
