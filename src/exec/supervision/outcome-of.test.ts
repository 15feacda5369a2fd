import { describe, expect, it } from 'vitest'
import type { Breach } from '../../core/index.ts'
import type { RunState } from '../runs/governed-run.ts'
import { outcomeOf } from './outcome-of.ts'
import type { SupervisedEnd } from './supervise-command.ts'

const breach = (meter: string) => [{ meter } as Breach] as const
const state = (more: Partial<RunState>) =>
  ({ status: 'running', breaches: null, isHalted: false, isOver: false, cutBy: null, ...more }) as RunState
const ended = (code: number | null, signal: NodeJS.Signals | null = null) => ({ code, signal, error: null })
const outcome = (more: Partial<SupervisedEnd>) => {
  const { status, exitCode } = outcomeOf({ end: ended(0), state: state({}), cause: null, signal: null, ...more })
  return `${status} ${exitCode}`
}
const notStarted = (code: string) => ({ code: null, signal: null, error: Object.assign(new Error(code), { code }) })

describe('a run of a command ends', () => {
  it.each<[string, string, Partial<SupervisedEnd>]>([
    ['as the command did', 'completed 0', {}],
    ['with the code of a command that failed', 'failed 3', { end: ended(3) }],
    ['with the signal of a command that crashed', 'failed 139', { end: ended(null, 'SIGSEGV') }],
    ['at a limit', 'limit-reached 124', { state: state({ isHalted: true, breaches: breach('cost') }) }],
    [
      'at a limit, whatever the command made of it',
      'limit-reached 124',
      { end: ended(1), state: state({ isHalted: true }) },
    ],
    [
      'at a time-out',
      'timed-out 124',
      { state: state({ isHalted: true, breaches: breach('wallTime') }), cause: 'limit' },
    ],
    [
      'at a limit that was raised when the command was being ended for it',
      'limit-reached 124',
      { end: ended(null, 'SIGTERM'), cause: 'limit' },
    ],
    ['at a limit that cut its last answer', 'limit-reached 124', { state: state({ cutBy: breach('cost')[0] }) }],
    [
      'at a limit that cut its last answer, whatever the command made of it',
      'limit-reached 124',
      { end: ended(1), state: state({ cutBy: breach('cost')[0] }) },
    ],
    [
      'with the signal of a command that crashed after an answer that was cut',
      'failed 139',
      { end: ended(null, 'SIGSEGV'), state: state({ cutBy: breach('cost')[0] }) },
    ],
    ['paused', 'paused 75', { state: state({ status: 'paused' }), cause: 'paused' }],
    ['stopped by somebody', 'stopped 130', { state: state({ status: 'stopped', isOver: true }), cause: 'stopped' }],
    ['interrupted', 'stopped 130', { end: ended(null, 'SIGINT'), signal: 'SIGINT' }],
    ['interrupted, tidying up first', 'stopped 130', { end: ended(130), signal: 'SIGINT' }],
    ['as it likes after an interruption that it has outlived', 'completed 0', { signal: 'SIGINT' }],
    ['told to end', 'stopped 130', { end: ended(0), signal: 'SIGTERM', cause: 'signal' }],
    ['without the stint around it', 'failed 125', { cause: 'lost', end: ended(null, 'SIGTERM') }],
    ['before it began', 'failed 127', { end: notStarted('ENOENT') }],
    ['before it began, for want of a right', 'failed 126', { end: notStarted('EACCES') }],
    ['told to end before it began', 'stopped 130', { end: notStarted('ECANCELED'), cause: 'signal' }],
  ])('%s: %s', (_, expected, end) => {
    expect(outcome(end)).toBe(expected)
  })
})
