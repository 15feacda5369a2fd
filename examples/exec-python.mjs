// A Python script under `stint exec`: agent.py loops forever and is not changed. Needs python3.
import { join } from 'node:path'
import { loopForEver } from 'stint/testing/provider'
import { createMachine } from './support/machine.mjs'

const machine = await createMachine(loopForEver({ toolName: 'read', closing: 'I have read three pages.' }))
const script = join(import.meta.dirname, 'agent.py')
const { code, stdout, stderr } = await machine.stint('exec', '--limit', 'turns=3', '--', 'python3', script)

console.log(stdout) // I have read three pages.
console.log('exit code', code) // exit code 124
const reason = stderr.split('\n').find((line) => line.includes('limit of')) ?? ''
console.log(reason.trim())
// The turns limit of "agent.py" is used up: 3 of 3 used, 1 more requested. Set by the flag --limit turns=3. To allow more, pass a larger value: --limit turns=…
await machine.remove()
