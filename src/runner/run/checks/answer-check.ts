import type { Breach } from '../../../core/index.ts'
import type { AcceptanceResult } from '../../acceptance/acceptance-result.ts'
import type { RunStatus } from '../end/run-result.ts'
import type { CheckName, SentBack } from './sent-back.ts'

/** The final answer of an agent. */
export interface SaidAnswer {
  /** Without the report. */
  readonly text: string
  /** The text of the report; `null` if there is none. */
  readonly report: string | null
  readonly messages: readonly unknown[]
}

/** What a check adds to the result of the run. */
export interface Findings {
  /** The answer as the requested value. */
  readonly structured?: unknown
  readonly acceptance?: AcceptanceResult
}

export type Verdict =
  | { readonly kind: 'passed'; readonly findings?: Findings }
  /** Not acceptable. The agent gets `text`; if it has no tries left, the run fails with `error`. */
  | { readonly kind: 'refused'; readonly text: string; readonly error: Error; readonly findings?: Findings }
  /** The same, but another try could not change it. */
  | { readonly kind: 'rejected'; readonly error: Error; readonly findings?: Findings }
  /** The run ended or was paused during the check. */
  | {
      readonly kind: 'interrupted'
      readonly status: RunStatus
      readonly breach: Breach | null
      readonly findings?: Findings
    }

export interface AnswerCheck {
  readonly name: CheckName
  /** How often it may send an answer back. */
  readonly tries: number
  check(answer: SaidAnswer, sentBack: SentBack): Promise<Verdict>
}
