import * as z from 'zod/mini'
import {
  AGENT_NAME_SCHEMA,
  type AgentOverride,
  type AgentOverrides,
  checkOverride,
  isAgentName,
} from '../../agents/index.ts'
import { fieldName } from '../../documents/index.ts'
import { JSON_KEYWORDS, parsedElsewhere, record, refused } from '../schema-forms.ts'
import { setting } from '../setting.ts'

const MOST_AGENTS = 1000
const FORM = 'e.g. { developer: { model: haiku, maxTokens: false } }'
const NAME_ERROR = refused('the name of an agent', 'e.g. developer')
const NAME = z.string(NAME_ERROR).check(z.refine(isAgentName, NAME_ERROR))
JSON_KEYWORDS.add(NAME, AGENT_NAME_SCHEMA)

export const AGENTS = setting({
  schema: record(
    NAME,
    parsedElsewhere({ $ref: '#/$defs/agentOverride' }, FORM),
    MOST_AGENTS,
    refused(`a set of at most ${MOST_AGENTS} agents`, FORM),
  ),
  description: '[Overrides](agents.md#overrides) of agents, by name; `false` clears a field',
  twoFiles: 'per agent and field, the later one',
  untrusted: 'only what tightens, and models that have a price',
  none: null,
  read(written, { document, layer, problems }): AgentOverrides | null {
    const { file, lineOf } = document
    const agents = Object.entries(written).map(([name, fields]): readonly [string, AgentOverride] => [
      name,
      { fields: fields as AgentOverride['fields'], field: fieldName('agents', name), lineOf },
    ])
    for (const [, override] of agents) {
      for (const { field, value, message } of checkOverride(file, override, layer)) {
        const line = document.lineOf(field ?? override.field)
        problems.push({ place: `${field} in ${line === undefined ? file : `${file}:${line}`}`, value, message })
      }
    }
    return { file, layer, agents: new Map(agents) }
  },
})
