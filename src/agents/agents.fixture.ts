import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { isPlainObject } from '../core/index.ts'
import { parseYaml } from '../documents/index.ts'
import { TRUST_EVERYTHING, type Trust } from '../trust/index.ts'
import type { AgentOverride, AgentOverrides, FoundAgents } from './agent.ts'
import { findAgents } from './find-agents.ts'

/** A home folder with a project in it. */
export interface AgentMachine {
  readonly folder: string
  readonly workingFolder: string
  readonly homeFolder: string
  /** Writes a file below the machine's folder. */
  write(path: string, content: string | Uint8Array): string
  /** The project is trusted by default. */
  find(overrides?: readonly AgentOverrides[], workingFolder?: string, trust?: Trust): FoundAgents
}

/** The folders of the machine, relative to it. */
export const PROJECT = 'home/code/project'
export const HOME = 'home'

export function createAgentMachine(): AgentMachine {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stint-agents-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const homeFolder = join(folder, HOME)
  const workingFolder = join(folder, PROJECT)
  mkdirSync(workingFolder, { recursive: true })
  return {
    folder,
    workingFolder,
    homeFolder,
    write(path, content) {
      const file = join(folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      return file
    },
    find: (overrides = [], working = workingFolder, trust = TRUST_EVERYTHING) =>
      findAgents({ workingFolder: working, homeFolder, overrides, trust }),
  }
}

/** An agent file with this front matter. */
export function agentText(lines: string, prompt = 'Do it.'): string {
  return `---\n${lines}\n---\n${prompt}\n`
}

/** The overrides in a config file of this YAML. */
export function overridesOf(layer: 'user' | 'project', yaml: string, file = `${layer}.yaml`): AgentOverrides {
  const reading = parseYaml(file, yaml)
  if (reading.kind === 'refused') throw new Error(reading.problems[0]?.message)
  const { value, lineOf } = reading.document
  const { agents } = value as { agents: Record<string, unknown> }
  if (!isPlainObject(agents)) throw new Error('no agents')
  const entries = Object.entries(agents).map(([name, fields]): [string, AgentOverride] => [
    name,
    { fields: fields as AgentOverride['fields'], field: `agents.${name}`, lineOf },
  ])
  return { file, layer, agents: new Map(entries) }
}
