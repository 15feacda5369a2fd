// One check of a ledger, in a process whose memory is that of the check alone: node store-verify.ts FILE CHECKOUT
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [file = '', checkout = '.'] = process.argv.slice(2)
const module = pathToFileURL(join(checkout, 'src/stores/sqlite/index.ts')).href
const { verifyLedger } = (await import(module)) as typeof import('../src/stores/sqlite/index.ts')
const before = process.cpuUsage()
const { ok } = verifyLedger(file)
const { user, system } = process.cpuUsage(before)
console.log(JSON.stringify({ ok, cpuMs: (user + system) / 1_000, rssMb: process.resourceUsage().maxRSS / 1_024 }))
