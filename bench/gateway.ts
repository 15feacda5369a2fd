// The gateway beside a proxy that only passes bytes on, and beside Portkey: npm run bench:gateway. Ratios are judged.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Load, LoadResult } from './gateway/load.ts'
import { chatBody } from './gateway/messages.ts'
import { type Part, startProcess } from './gateway/start-process.ts'
import { percentile } from './percentiles.ts'
import { printTable } from './table.ts'

const LEAST_OF_RAW = 0.6
const LEAST_OF_PORTKEY = 6
const MOST_LATER_FIRST_BYTE_MS = 1
const MOST_GROWTH = 1.25
const ROUNDS = 9

/** Who stands between the callers and the provider, and what a request to it looks like. */
interface Subject {
  readonly name: string
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The slow one gets fewer requests: it is a rate that is compared. */
  readonly share: number
}

interface Scene {
  readonly title: string
  readonly body: string
  readonly connections: number
  readonly requests: number
}

const AUTHORIZATION = { authorization: 'Bearer made-up-key' }

const SCENES: Readonly<Record<'few' | 'many' | 'stream' | 'streamAlone' | 'large', Scene>> = {
  few: { title: '2 kB bodies, 32 connections', body: chatBody(2_000), connections: 32, requests: 4_000 },
  many: { title: '2 kB bodies, 256 connections', body: chatBody(2_000), connections: 256, requests: 4_000 },
  stream: {
    title: 'Streams of 21 events, 32 connections',
    body: chatBody(2_000, { stream: true }),
    connections: 32,
    requests: 1_500,
  },
  streamAlone: {
    title: 'Streams, one at a time: the first byte',
    body: chatBody(2_000, { stream: true }),
    connections: 1,
    requests: 200,
  },
  large: {
    title: '84 kB bodies with 12 tools, 32 connections (printed, not judged)',
    body: chatBody(84_000, { tools: 12 }),
    connections: 32,
    requests: 1_500,
  },
}
// What everybody gets before the first round: code that is new is slow, and the slower the more there is of it.
const WARM_UP = 10

/** Rounds of many short turns: what else the machine does passes over all of them alike. */
async function play(load: Part, scene: Scene, subjects: readonly Subject[]): Promise<Played> {
  const rounds: LoadResult[][] = []
  for (const subject of subjects) await turnOf(load, subject, { ...scene, requests: scene.requests * WARM_UP })
  for (let round = 0; round < ROUNDS; round++) {
    const turns: LoadResult[] = []
    for (const subject of subjects) turns.push(await turnOf(load, subject, scene))
    rounds.push(turns)
  }
  const figure = (index: number, of: keyof LoadResult): number => median(rounds.map((turns) => turns[index]![of]))
  const rows = subjects.map(({ name }, index) => {
    const times = (['p50Ms', 'p99Ms', 'firstByteMs'] as const).map((of) => figure(index, of).toFixed(2))
    return [name, figure(index, 'perSecond').toFixed(0), ...times]
  })
  printTable(scene.title, ['', 'requests/s', 'p50 ms', 'p99 ms', 'first byte ms'], rows)
  return {
    figure: (subject, of) => figure(subjects.indexOf(subject), of),
    ratio(subject, other) {
      const [one, two] = [subjects.indexOf(subject), subjects.indexOf(other)]
      return median(rounds.map((turns) => turns[one]!.perSecond / turns[two]!.perSecond))
    },
  }
}

interface Played {
  /** The median of a subject over the rounds. */
  figure(subject: Subject, of: keyof LoadResult): number
  /** How many times as many requests as another it took in a round: the median of that. */
  ratio(subject: Subject, other: Subject): number
}

async function turnOf(load: Part, subject: Subject, scene: Scene): Promise<LoadResult> {
  const result = await load.ask<LoadResult>(loadOn(subject, scene))
  if (result.failed > 0) throw new Error(`${subject.name}: ${result.failed} requests were not answered with 200`)
  return result
}

function median(values: readonly number[]): number {
  return percentile(values, 50)
}

function loadOn({ port, path, headers, share }: Subject, { body, connections, requests }: Scene): Load {
  return { port, path, headers, body, connections, requests: Math.max(connections, Math.floor(requests * share)) }
}

/** Portkey is not among our own dependencies: it is fetched when it is first measured. */
function installPeers(): void {
  const folder = fileURLToPath(new URL('./peers', import.meta.url))
  if (existsSync(join(folder, 'node_modules/@portkey-ai/gateway'))) return
  console.log('Installing the peers…')
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: folder, stdio: 'inherit' })
}

function judge(text: string, isReached: boolean): boolean {
  console.log(`${isReached ? 'reached' : 'NOT REACHED'}: ${text}`)
  return isReached
}

/** Whether memory stays where it is, however many requests have passed. */
async function memoryIsFlat(load: Part, stint: Part, subject: Subject): Promise<boolean> {
  const scene = { ...SCENES.few, requests: 20_000 }
  const sizes: number[] = []
  for (let round = 0; round < 6; round++) {
    await load.ask<LoadResult>(loadOn(subject, scene))
    const { heapBytes, residentBytes } = await stint.ask<{ heapBytes: number; residentBytes: number }>({})
    sizes.push(heapBytes)
    const megabytes = [heapBytes, residentBytes].map((bytes) => (bytes / 1e6).toFixed(0))
    console.log(
      `after ${(round + 1) * scene.requests} more requests: ${megabytes[0]} MB of heap, ${megabytes[1]} MB resident`,
    )
  }
  const growth = sizes.at(-1)! / sizes[0]!
  return judge(
    `heap after 120,000 requests ${growth.toFixed(2)}× that after 20,000 (at most ${MOST_GROWTH}×)`,
    growth <= MOST_GROWTH,
  )
}

installPeers()
const folder = mkdtempSync(join(tmpdir(), 'stint-bench-'))
const parts: Part[] = []
const start = async (script: URL, ...args: string[]): Promise<Part> => {
  const part = await startProcess(script, args)
  parts.push(part)
  return part
}
const provider = await start(new URL('./gateway/provider.ts', import.meta.url))
const raw = await start(new URL('./gateway/raw-proxy.ts', import.meta.url), String(provider.port))
const stint = await start(
  new URL('./gateway/stint.ts', import.meta.url),
  String(provider.port),
  join(folder, 'ledger.db'),
)
const portkey = await start(new URL('./gateway/portkey.ts', import.meta.url))
const load = await start(new URL('./gateway/load.ts', import.meta.url))

const path = '/v1/chat/completions'
const portkeyHeaders = {
  'x-portkey-provider': 'openai',
  'x-portkey-custom-host': `http://127.0.0.1:${provider.port}/v1`,
}
const direct: Subject = { name: 'no proxy', port: provider.port, path, headers: AUTHORIZATION, share: 1 }
const rawProxy: Subject = { name: 'raw node:http proxy', port: raw.port, path, headers: AUTHORIZATION, share: 1 }
const gateway: Subject = {
  name: 'stint, SQLite accounts on',
  port: stint.port,
  path: `/k/bench/openai${path}`,
  headers: { ...AUTHORIZATION, host: `127.0.0.1:${stint.port}` },
  share: 1,
}
const peer: Subject = {
  name: '@portkey-ai/gateway',
  port: portkey.port,
  path,
  headers: { ...AUTHORIZATION, ...portkeyHeaders },
  share: 0.1,
}

const verdicts: boolean[] = []
for (const scene of [SCENES.few, SCENES.many]) {
  const { figure, ratio } = await play(load, scene, [direct, rawProxy, gateway, peer])
  const [toRaw, toPeer] = [ratio(gateway, rawProxy), ratio(gateway, peer)]
  const added = (of: 'p50Ms' | 'p99Ms'): string => (figure(gateway, of) - figure(rawProxy, of)).toFixed(2)
  console.log(`added to p50 ${added('p50Ms')} ms, to p99 ${added('p99Ms')} ms, beside the raw proxy`)
  verdicts.push(judge(`${toRaw.toFixed(2)}× the raw proxy (at least ${LEAST_OF_RAW}×)`, toRaw >= LEAST_OF_RAW))
  verdicts.push(judge(`${toPeer.toFixed(1)}× Portkey (at least ${LEAST_OF_PORTKEY}×)`, toPeer >= LEAST_OF_PORTKEY))
}
await play(load, SCENES.stream, [direct, rawProxy, gateway, peer])
const alone = await play(load, SCENES.streamAlone, [direct, rawProxy, gateway, peer])
const later = alone.figure(gateway, 'firstByteMs') - alone.figure(rawProxy, 'firstByteMs')
verdicts.push(
  judge(
    `the first byte ${later.toFixed(2)} ms after the raw proxy's (at most ${MOST_LATER_FIRST_BYTE_MS} ms)`,
    later <= MOST_LATER_FIRST_BYTE_MS,
  ),
)
await play(load, SCENES.large, [direct, rawProxy, gateway])
verdicts.push(await memoryIsFlat(load, stint, gateway))

for (const part of parts.toReversed()) await part.end()
rmSync(folder, { recursive: true, force: true })
const isReached = verdicts.every(Boolean)
console.log(isReached ? '\nAll that was to be reached is reached.' : '\nNOT all that was to be reached is reached.')
process.exitCode = isReached ? 0 : 1
