import { assertKnownOptions, assertOneOf, InvalidOptionError, optionNames } from '../../../core/index.ts'
import type { ChildSpec, OpenSpec } from '../../governor.ts'

const CHILD_NAMES = {
  name: true,
  kind: true,
  id: true,
  limits: true,
  onLimit: true,
  executionLimits: true,
  execution_limits: true,
  preset: true,
  layers: true,
  wrapUp: true,
  needs: true,
  agentType: true,
  taskId: true,
  about: true,
  waitMs: true,
  waitsForAnswer: true,
  signal: true,
} as const

const OPEN_SPEC = optionNames<OpenSpec>({ ...CHILD_NAMES, within: true, team: true, user: true, sharedLimits: true })
const CHILD_SPEC = optionNames<ChildSpec>(CHILD_NAMES)

export function assertOpenSpec(spec: OpenSpec): void {
  assertKnownOptions('governor.open', spec, OPEN_SPEC)
  assertKind(spec)
}

/** A child has no `within`: its parent pays. */
export function assertChildSpec(spec: ChildSpec): void {
  assertKnownOptions('scope.open', spec, CHILD_SPEC)
  assertKind(spec)
}

function assertKind({ kind }: ChildSpec): void {
  if (kind !== undefined) assertOneOf('open({ kind })', kind, ['agent', 'group'])
}

export function assertChildSpecs(specs: readonly ChildSpec[]): void {
  if (!Array.isArray(specs)) throw new InvalidOptionError('openAll(specs)', specs, 'a list of scopes')
  for (const spec of specs) {
    assertKnownOptions('scope.openAll', spec, CHILD_SPEC)
    assertKind(spec)
  }
}
