import { cpuRounds } from '../cpu-rounds.ts'
import { judge } from '../judge.ts'
import type { Work } from '../measure.ts'
import { printTable } from '../table.ts'
import { callModelSubject, callToolSubject, reserveSubject } from './governor-subjects.ts'
import { handWrittenSubject } from './hand-written-subject.ts'
import { llmBudgetGuardSubject, llmBudgetSubject, rateLimiterSubject, rateLimiterToolSubject } from './peer-subjects.ts'
import { storeSubject } from './store-subject.ts'

interface Subject {
  readonly name: string
  readonly size: string
  readonly start: () => Work | Promise<Work>
}

const PATH = '4 scopes × 4 meters'
const LEVELS = '4 levels × 1 counter'
const USER = '1 level × 3 counters'

const SUBJECTS = {
  store: { name: 'store.reserve + settle', size: PATH, start: () => storeSubject(4) },
  reserve: { name: 'scope.reserve + settle', size: PATH, start: () => reserveSubject(4) },
  callTool: { name: 'scope.callTool', size: PATH, start: () => callToolSubject(4) },
  callModel: { name: 'scope.callModel', size: PATH, start: () => callModelSubject(4) },
  limiter: { name: 'rate-limiter-flexible, consume + reward', size: LEVELS, start: () => rateLimiterSubject(4) },
  limiterTool: { name: 'rate-limiter-flexible, consume + tool', size: LEVELS, start: () => rateLimiterToolSubject(4) },
  budget: { name: 'llm-budget, reserve + settle', size: USER, start: llmBudgetSubject },
  guard: { name: 'llm-budget, guard around a model', size: USER, start: llmBudgetGuardSubject },
  deepStore: { name: '(store.reserve + settle)', size: '5 scopes × 4 meters', start: () => storeSubject(5) },
  heard: {
    name: '(scope.callTool, all events heard)',
    size: PATH,
    start: () => callToolSubject(4, { isHeard: true }),
  },
  handWritten: { name: '(sums written by hand)', size: PATH, start: () => handWrittenSubject(4) },
} as const satisfies Record<string, Subject>

type SubjectName = keyof typeof SUBJECTS

interface Bound {
  readonly way: SubjectName
  readonly peer: SubjectName
  readonly atMost: number
}

// The store was built to be faster than its peers. The ways above it have bounds a third above what was measured when
// they were set: they keep a call from becoming dearer, and do not say that it is cheap.
const BOUNDS: readonly Bound[] = [
  { way: 'store', peer: 'limiter', atMost: 1 },
  { way: 'store', peer: 'budget', atMost: 1 },
  { way: 'reserve', peer: 'limiter', atMost: 4.5 },
  { way: 'reserve', peer: 'budget', atMost: 1.4 },
  { way: 'callTool', peer: 'limiterTool', atMost: 12.5 },
  { way: 'callModel', peer: 'limiter', atMost: 10.5 },
  { way: 'callModel', peer: 'guard', atMost: 3 },
]

const WHAT_EACH_DOES = `
stint                  decides over the whole path at once, in integers, and keeps a record of each call by its id.
                       A scope adds waiting for room, pauses, clocks, events and a signal that stops the call;
                       callModel prices the worst case before the call and the usage after it.
rate-limiter-flexible  counts one number on each level, one level after the other. No reservation (the worst case is
                       consumed, and the rest given back), no record, no price, no signal, no events; its queue, which
                       waits, is not used here. A refusal leaves consumed what the levels above it had let through.
llm-budget             prices a call and reserves tokens, dollars (floats) and requests of one user. No levels, no
                       record by id, no signal, no waiting; its hook after a call is not used here.`

/** The CPU of one call in every way that users take, beside the peers. Returns a verdict for each judged figure. */
export async function compareWithPeers(): Promise<readonly boolean[]> {
  const names = Object.keys(SUBJECTS) as SubjectName[]
  const { nanoseconds, ratio } = await cpuRounds(
    await Promise.all(names.map((name): Work | Promise<Work> => SUBJECTS[name].start())),
  )
  const index = (name: SubjectName): number => names.indexOf(name)
  const rows = names.map((name) => {
    const { name: shown, size } = SUBJECTS[name]
    return [shown, size, nanoseconds(index(name)).toFixed(0), `${ratio(index(name), index('limiter')).toFixed(2)}×`]
  })
  const title = 'CPU of one call, median of alternating rounds in one run; in brackets: printed, not judged'
  printTable(title, ['', 'on', 'ns', 'of consume + reward'], rows)
  console.log(WHAT_EACH_DOES)
  console.log('\nJudged, as ratios of CPU in the same rounds:')
  return BOUNDS.map(({ way, peer, atMost }) => {
    const sentence = (figure: string) => `${SUBJECTS[way].name} takes ${figure} the CPU of ${SUBJECTS[peer].name}`
    return judge({ sentence, value: ratio(index(way), index(peer)), atMost })
  })
}
