import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Agent, agentNamed, findAgents } from '../../agents/index.ts'
import { createGovernor, type Governor } from '../../governor/index.ts'
import { createPriceBook } from '../../pricing/index.ts'
import { createRunner, type Runner } from '../../runner/index.ts'
import { type ResolvedModel, SCRIPTED_PRICES } from '../../runner/models/index.ts'
import { TRUST_EVERYTHING } from '../../trust/index.ts'
import type { Platform } from '../platform.ts'
import { AGENT_FILE, PAGES, pageFile, pageText } from './handbook.ts'

/** Everything that a run needs, in one folder: a project with an agent, a ledger, and the tasks. */
export interface DemoStage {
  readonly governor: Governor
  readonly runner: Runner
  readonly agent: Agent
  readonly workingFolder: string
  /** The `STINT_HOME` with which to inspect the ledger afterwards. */
  readonly homeFolder: string
  readonly ledgerFile: string
  /** Registers a model under its name. */
  offer(model: ResolvedModel): string
  /** Ends what is open. The ledger can be inspected until the stage is removed. */
  close(): Promise<void>
  remove(): void
}

/** The real parts, wired as in `stint run`; only the models are scripted. */
export async function openDemoStage(platform: Platform): Promise<DemoStage> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stint-demo-')))
  const workingFolder = join(folder, 'project')
  const homeFolder = join(folder, 'home')
  const ledgerFile = join(homeFolder, 'ledger.db')
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    writeProject(workingFolder)
    const store = await platform.ledgerFiles.open(ledgerFile, { createFolder: true })
    const governor = createGovernor({ store, prices: createPriceBook({ overrides: SCRIPTED_PRICES }) })
    const models = new Map<string, ResolvedModel>()
    const find = (place: string) => findAgents({ workingFolder: place, homeFolder: folder, trust: TRUST_EVERYTHING })
    const runner = createRunner({
      governor,
      models: { resolve: async (name) => models.get(name ?? '')! },
      taskFolder: join(homeFolder, 'tasks'),
      env: {},
      findAgents: find,
    })
    return {
      governor,
      runner,
      agent: agentNamed(find(workingFolder), 'reader'),
      workingFolder,
      homeFolder,
      ledgerFile,
      offer(model) {
        models.set(model.name, model)
        return model.name
      },
      async close() {
        await governor.close()
        await store.dispose()
      },
      remove,
    }
  } catch (error) {
    remove()
    throw error
  }
}

function writeProject(folder: string): void {
  const write = (path: string, text: string): void => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  write('.stint/agents/reader.md', AGENT_FILE)
  for (let page = 1; page <= PAGES; page++) write(pageFile(page), pageText(page))
}
