import { join } from 'node:path'
import { chatBody } from '../gateway/messages.ts'
import { playRounds } from '../gateway/play-rounds.ts'
import { LOAD, runOn, withPrograms } from '../gateway/stage.ts'
import { judge } from '../judge.ts'
import { ledgerIn } from './ledger-in.ts'

// A third above or below what was measured when they were set.
const LEAST_OF_SQLITE = 0.3
const MOST_CPU_OF_SQLITE = 2.5

/** The gateway with its accounts in Postgres, beside the same gateway with its accounts in a file. */
export async function compareGateways(url: string): Promise<readonly boolean[]> {
  const ledger = await ledgerIn(url, 'gateway')
  return withPrograms(async (start, folder) => {
    const provider = await start(new URL('../gateway/provider.ts', import.meta.url), '{}')
    const gateway = (place: string) =>
      start(new URL('../gateway/stint.ts', import.meta.url), String(provider.port), place)
    const sqlite = runOn(await gateway(join(folder, 'ledger.db')), 'bench', 'accounts in SQLite')
    const postgres = runOn(await gateway(ledger), 'bench', 'accounts in Postgres')
    const load = await start(LOAD)
    const rounds = { sent: { body: chatBody(2_000) }, connections: 32, requests: 1_000, warmUp: 3 }
    const title = 'The gateway, 2 kB bodies, 32 connections on one run'
    const { figure, ratio } = await playRounds(load, { ...rounds, title }, [sqlite, postgres])
    const added = figure(postgres, 'p50Ms') - figure(sqlite, 'p50Ms')
    console.log(`added to p50 ${added.toFixed(2)} ms beside SQLite`)
    return [
      judge({
        sentence: (text) => `on Postgres the gateway serves ${text} the requests per second`,
        value: ratio('perSecond', postgres, sqlite),
        atLeast: LEAST_OF_SQLITE,
      }),
      judge({
        sentence: (text) => `on Postgres a request takes ${text} the CPU in the gateway`,
        value: ratio('cpuMicros', postgres, sqlite),
        atMost: MOST_CPU_OF_SQLITE,
      }),
    ]
  })
}
