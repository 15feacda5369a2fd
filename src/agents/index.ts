export { type Claim, type ClaimBound, TRUST_EVERYTHING, TRUST_NOTHING, type Trust } from '../trust/index.ts'
export {
  type Acceptance,
  type AcceptanceInput,
  type Criterion,
  EVIDENCE_KINDS,
  type EvidenceKind,
  type ReviewOrder,
  type Severity,
  type VerifyCommand,
} from './acceptance/acceptance.ts'
export { parseAcceptance } from './acceptance/parse-acceptance.ts'
export type {
  Agent,
  AgentLimitLayers,
  AgentOverride,
  AgentOverrides,
  AgentPlaces,
  AgentSource,
  FoundAgents,
  ThinkingLevel,
} from './agent.ts'
export { AGENT_NAME_SCHEMA, isAgentName } from './agent-name.ts'
export { agentNamed } from './agent-named.ts'
export { type AgentProblem, problemText } from './agent-problem.ts'
export { AgentEditError, type AgentEditReason } from './edit/agent-edit-error.ts'
export type { FieldChange } from './edit/edit-front-matter.ts'
export {
  type AgentChanges,
  createAgent,
  deleteAgent,
  type ManagedPlaces,
  updateAgent,
  type WrittenAgent,
} from './edit/manage-agents.ts'
export { type FieldName, OVERRIDE_FIELDS, overrideFieldSchema } from './fields/agent-fields.ts'
export { findAgents } from './find-agents.ts'
export { InvalidAgentError } from './invalid-agent-error.ts'
export { checkOverride, LONGEST_PROMPT } from './override.ts'
export { UnknownAgentError } from './unknown-agent-error.ts'
