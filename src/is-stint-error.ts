// Types alone, from the files of the classes: importing the library loads no other part of it.
import type { ToolRefusedError } from './adapters/ai-sdk/tools/tool-refused-error.ts'
import type { AgentEditError } from './agents/edit/agent-edit-error.ts'
import type { InvalidAgentError } from './agents/invalid-agent-error.ts'
import type { UnknownAgentError } from './agents/unknown-agent-error.ts'
import type {
  ErrorCode,
  HolderDeadError,
  InvalidAmountError,
  InvalidNameError,
  InvalidOptionError,
  LimitExceededError,
  ReservationConflictError,
  ScopeExistsError,
  StintError,
  UnknownEventError,
  UnknownOptionError,
  UnknownScopeError,
} from './core/index.ts'
import { isStintError as isError } from './core/stint-error.ts'
import type { NotPausedError, ScopeClosedError, ScopePausedError, UnknownRequestError } from './governor/index.ts'
import type { InvalidLimitError } from './policy/index.ts'
import type { InvalidCallError, InvalidPriceError, InvalidUsageError, UnpricedModelError } from './pricing/index.ts'
import type { InvalidChainError } from './runner/groups/chain/invalid-chain-error.ts'
import type { UnknownChainError } from './runner/groups/chain/unknown-chain-error.ts'
import type { MissingKeyError } from './runner/models/missing-key-error.ts'
import type { UnknownModelError } from './runner/models/unknown-model-error.ts'
import type { UnknownTaskError } from './runner/tasks/unknown-task-error.ts'
import type { LedgerFileError } from './stores/sqlite/database/file/ledger-file-error.ts'

/** The class of each code. Those that are not listed have no fields of their own. */
export type ErrorByCode = { readonly [Code in ErrorCode]: StintError<Code> } & {
  readonly [Code in LedgerFileError['code']]: LedgerFileError
} & { readonly [Code in AgentEditError['code']]: AgentEditError } & {
  readonly holder_dead: HolderDeadError
  readonly invalid_agent: InvalidAgentError
  readonly invalid_amount: InvalidAmountError
  readonly invalid_call: InvalidCallError
  readonly invalid_chain: InvalidChainError
  readonly invalid_limit: InvalidLimitError
  readonly invalid_name: InvalidNameError
  readonly invalid_option: InvalidOptionError | UnknownOptionError
  readonly invalid_price: InvalidPriceError
  readonly invalid_usage: InvalidUsageError
  readonly limit_exceeded: LimitExceededError
  readonly missing_key: MissingKeyError
  readonly not_paused: NotPausedError
  readonly reservation_conflict: ReservationConflictError
  readonly scope_closed: ScopeClosedError
  readonly scope_exists: ScopeExistsError
  readonly scope_paused: ScopePausedError
  readonly tool_refused: ToolRefusedError
  readonly unknown_agent: UnknownAgentError
  readonly unknown_chain: UnknownChainError
  readonly unknown_event: UnknownEventError
  readonly unknown_model: UnknownModelError
  readonly unknown_request: UnknownRequestError
  readonly unknown_scope: UnknownScopeError
  readonly unknown_task: UnknownTaskError
  readonly unpriced_model: UnpricedModelError
}

/**
 * Whether `error` is one of Stint's, optionally with this code: then it has the fields of the class of that code. Works
 * across copies of the package.
 */
export function isStintError<Code extends ErrorCode>(
  error: unknown,
  code?: Code,
): error is [ErrorCode] extends [Code] ? StintError : ErrorByCode[Code] {
  return isError(error, code)
}
