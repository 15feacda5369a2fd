import { assertKnownOptions, assertWholeNumber, type Clock, optionNames } from '../core/index.ts'
import { completeUsage, type Usage } from '../pricing/index.ts'
import { createSystemClock } from '../system/index.ts'
import { checkScriptedRequest } from './check-scripted-request.ts'
import { inputTokensOf, scriptedAnswer } from './scripted-answer.ts'
import { ScriptedModelError } from './scripted-model-error.ts'
import type { Script, ScriptedAnswer, ScriptedRequest, ScriptedTurn } from './scripted-types.ts'

/** One request as the provider saw it. */
export interface ScriptedBookEntry {
  /** A copy, unaffected by later changes. */
  readonly request: Omit<ScriptedRequest, 'signal'>
  readonly outcome: 'running' | 'answered' | 'refused' | 'failed' | 'aborted' | 'broken-off'
  readonly answer: ScriptedAnswer | null
  /** What the provider charges, whatever it reports. Refusals and failures cost nothing, an aborted call its input. */
  readonly billed: Usage
}

/** A model that follows a script, and refuses what real providers refuse. */
export interface ScriptedModel {
  /** Rejects with `ScriptedModelError`, or with the signal's reason. */
  call(request: ScriptedRequest): Promise<ScriptedAnswer>
  /** Every request that arrived, in order. */
  readonly book: readonly ScriptedBookEntry[]
}

export interface ScriptedModelOptions {
  /** The model's own output cap. Default 32,000. */
  readonly maxOutputTokens?: number
  /** For `delayMs`. Default: the system clock. */
  readonly clock?: Clock
}

const OPTIONS = optionNames<ScriptedModelOptions>({ maxOutputTokens: true, clock: true })

const NOTHING = completeUsage({})

/** For tests and demos: no network, provider-neutral, and every token counted by simple arithmetic. */
export function createScriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  assertKnownOptions('createScriptedModel', options, OPTIONS)
  const { maxOutputTokens = 32_000, clock = createSystemClock() } = options
  assertWholeNumber('maxOutputTokens', maxOutputTokens, 1, Number.MAX_SAFE_INTEGER)
  const nextTurn = turnsOf(script)
  const book: ScriptedBookEntry[] = []
  let calls = 0
  const createCallId = () => `call-${++calls}`

  async function answerTo(request: ScriptedRequest, note: (entry: Partial<ScriptedBookEntry>) => void) {
    request.signal?.throwIfAborted()
    checkScriptedRequest(request, maxOutputTokens)
    const turn = nextTurn(request)
    // From here on the request is billed, even if the caller aborts it.
    note({ billed: completeUsage({ inputTokens: inputTokensOf(request) }) })
    if (turn.delayMs !== undefined) await pause(clock, turn.delayMs, request.signal)
    if (turn.error !== undefined) {
      note({ outcome: 'failed', billed: completeUsage(turn.usage ?? {}) })
      throw new ScriptedModelError(turn.error.status, turn.error.message)
    }
    const { answer, billed } = scriptedAnswer(turn, request, { maxOutputTokens, createCallId })
    note({ outcome: answer.breaksOff ? 'broken-off' : 'answered', answer, billed })
    return answer
  }

  return {
    book,
    async call(request) {
      const { signal, ...seen } = request
      const place = book.length
      const note = (entry: Partial<ScriptedBookEntry>) => {
        book[place] = { ...book[place]!, ...entry }
      }
      book.push({ request: asSent(seen), outcome: 'running', answer: null, billed: NOTHING })
      try {
        return await answerTo(request, note)
      } catch (error) {
        if (book[place]!.outcome === 'running') note({ outcome: signal?.aborted ? 'aborted' : 'refused' })
        throw error
      }
    },
  }
}

// As sent over a wire: data, without functions.
function asSent(request: Omit<ScriptedRequest, 'signal'>): Omit<ScriptedRequest, 'signal'> {
  return JSON.parse(JSON.stringify(request))
}

function turnsOf(script: Script): (request: ScriptedRequest) => ScriptedTurn {
  let count = 0
  let generator: ReturnType<Extract<Script, (first: ScriptedRequest) => unknown>> | null = null
  return (request) => {
    count++
    if (typeof script !== 'function') return script[count - 1] ?? endOfScript(count)
    generator ??= script(request)
    const turn = generator.next(request)
    return turn.done ? endOfScript(count) : turn.value
  }
}

function endOfScript(count: number): never {
  throw new ScriptedModelError(500, `The script has ended: it has no turn for call ${count}.`)
}

function pause(clock: Clock, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      cancel()
      reject(signal?.reason)
    }
    const cancel = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    })
    signal?.addEventListener('abort', abort, { once: true })
  })
}
