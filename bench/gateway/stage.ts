import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPeers } from './install-peers.ts'
import { type Part, startProcess } from './start-process.ts'

/** A program between the callers and the provider, and what a request to it looks like. */
export interface Subject {
  readonly name: string
  /** The program whose CPU is measured; `null` where there is none in between. */
  readonly part: Part | null
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The part of the requests that it gets: a slow program gets fewer, since rates are compared. */
  readonly share: number
}

/** How the provider's streams come. Default: as few events as it takes, each in a write of its own. */
export interface StreamShape {
  readonly textEvents?: number
  readonly eventsPerWrite?: number
}

/** Every program of a scene, each in a process of its own. */
export interface Stage {
  readonly load: Part
  readonly direct: Subject
  readonly raw: Subject
  readonly stint: Subject & { readonly part: Part }
  /** More callers, in a process of their own. */
  startLoad(): Promise<Part>
  /** Portkey, the peer. Started, and installed, when it is asked for. */
  startPortkey(): Promise<Subject>
}

export const LOAD = new URL('./load.ts', import.meta.url)
const PATH = '/v1/chat/completions'
const AUTHORIZATION = { authorization: 'Bearer made-up-key' }
const PORTKEY_SHARE = 0.1

/** Plays on a stage that nothing was played on before: no figure depends on which scenes came before. */
export function onStage<Result>(shape: StreamShape, play: (stage: Stage) => Promise<Result>): Promise<Result> {
  return withPrograms(async (start, folder) => play(await setUp(start, shape, join(folder, 'ledger.db'))))
}

/** Starts a program that ends with the stage. */
export type Start = (script: URL, ...args: string[]) => Promise<Part>

/** Runs with programs, each in a process of its own, and a folder; both are gone afterwards. */
export async function withPrograms<Result>(run: (start: Start, folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'stint-bench-'))
  const parts: Part[] = []
  const start: Start = async (script, ...args) => {
    const part = await startProcess(script, args)
    parts.push(part)
    return part
  }
  try {
    return await run(start, folder)
  } finally {
    for (const part of parts.toReversed()) await part.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function setUp(start: Start, shape: StreamShape, ledger: string): Promise<Stage> {
  const provider = await start(new URL('./provider.ts', import.meta.url), JSON.stringify(shape))
  const raw = await start(new URL('./raw-proxy.ts', import.meta.url), String(provider.port))
  const stint = await start(new URL('./stint.ts', import.meta.url), String(provider.port), ledger)
  const request = { path: PATH, headers: AUTHORIZATION, share: 1 }
  return {
    load: await start(LOAD),
    startLoad: () => start(LOAD),
    direct: { name: 'no proxy', part: null, port: provider.port, ...request },
    raw: { name: 'raw node:http proxy', part: raw, port: raw.port, ...request },
    stint: runOn(stint, 'bench'),
    async startPortkey() {
      installPeers()
      const portkey = await start(new URL('./portkey.ts', import.meta.url))
      const headers = {
        ...AUTHORIZATION,
        'x-portkey-provider': 'openai',
        'x-portkey-custom-host': `http://127.0.0.1:${provider.port}/v1`,
      }
      const name = '@portkey-ai/gateway'
      return { name, part: portkey, port: portkey.port, path: PATH, headers, share: PORTKEY_SHARE }
    },
  }
}

/** Stint's gateway, with a key whose run is its own. */
export function runOn(stint: Part, key: string, name = 'stint, SQLite accounts on'): Subject & { readonly part: Part } {
  const headers = { ...AUTHORIZATION, host: `127.0.0.1:${stint.port}` }
  return {
    name,
    part: stint,
    port: stint.port,
    path: `/k/${key}/openai${PATH}`,
    headers,
    share: 1,
  }
}
