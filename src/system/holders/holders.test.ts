import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { describeHolder } from './describe-holder.ts'
import { formatHolder, type Holder, parseHolder } from './holder.ts'
import { isHolderAlive } from './is-holder-alive.ts'
import { createOtherProcesses } from './other-processes.ts'
import { parseProcessStat } from './parse-process-stat.ts'
import type { Processes, ProcessSighting } from './processes.ts'
import { systemProcesses } from './system-processes.ts'

const ann: Holder = { host: 'ann/1', pidNamespace: '42', boot: 'boot-1', pid: 77, start: '1000', nonce: 'a b' }
const running = (start: string): ProcessSighting => ({ kind: 'running', start })

/** A machine that only knows pid 77. */
function machine(changes: Partial<Processes> = {}, sighting: ProcessSighting = running('1000')): Processes {
  const look = (pid: number) => (pid === 77 ? sighting : ({ kind: 'gone' } as const))
  return { host: 'ann/1', pidNamespace: '42', boot: 'boot-1', look, ...changes }
}

const nobody = machine({
  look() {
    throw new Error('Nobody may look for a pid that means something else here.')
  },
})

describe('the text of a holder', () => {
  it('is parsed as it was written, whatever it contains', () => {
    expect(parseHolder(formatHolder(ann))).toEqual(ann)
    expect(formatHolder(ann)).toBe('ann%2F1/42/boot-1/77/1000/a%20b')
  })

  it.each(['', 'worker-1', 'a/b/c/d/e/f', 'a/b/c/0/e/f', 'a/b/c/-1/e/f', 'a/b/c/1/e/f/g', 'a/b/c/1/%zz/f'])(
    '%j is not one, and nothing is known about such a holder',
    (text) => {
      expect(parseHolder(text)).toBeNull()
      expect(isHolderAlive(text, nobody)).toBeNull()
    },
  )
})

describe('a holder', () => {
  it.each<[string, boolean | null, Processes]>([
    ['lives while its process runs', true, machine()],
    ['is dead when its pid is gone', false, machine({}, { kind: 'gone' })],
    ['is dead when its pid was given to another process', false, machine({}, running('1001'))],
    ['is dead when this host has booted since', false, machine({ boot: 'boot-2' })],
    [
      'is dead after a boot also if it was in another container of this name',
      false,
      machine({ boot: 'boot-2', pidNamespace: '43' }),
    ],
    ['lives on a host that got another name since', true, machine({ host: 'bob' })],
    ['lives as far as one knows where the platform tells no start', true, machine({}, running(''))],
    ['is unknown when its process may not be seen', null, machine({}, { kind: 'hidden' })],
    ['is unknown on another host', null, { ...nobody, host: 'bob', boot: 'boot-2' }],
    ['is unknown in another pid namespace of this host', null, { ...nobody, pidNamespace: '43' }],
  ])('%s', (_, alive, processes) => {
    expect(isHolderAlive(formatHolder(ann), processes)).toBe(alive)
  })

  it('is judged by its process if the platform does not identify the boot', () => {
    const text = formatHolder({ ...ann, boot: '' })
    expect(isHolderAlive(text, machine({ boot: '' }))).toBe(true)
    expect(isHolderAlive(text, machine({ boot: '' }, { kind: 'gone' }))).toBe(false)
    expect(isHolderAlive(text, { ...nobody, boot: '', host: 'bob' })).toBeNull()
  })
})

describe('this process', () => {
  it('is alive, and each of its governors has a separate text', () => {
    const [one, other] = [describeHolder(), describeHolder()]
    expect(one).not.toBe(other)
    expect([isHolderAlive(one), isHolderAlive(other)]).toEqual([true, true])
    expect({ ...parseHolder(one), nonce: '' }).toEqual({ ...parseHolder(other), nonce: '' })
    expect(parseHolder(one)).toMatchObject({ pid: process.pid })
  })
})

describe('another process', () => {
  it('is alive until it is killed with -9', async () => {
    const { child, holder } = await startHolder()
    expect(isHolderAlive(holder)).toBe(true)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(isHolderAlive(holder)).toBe(false)
  })

  it('with the pid of a dead one is not mistaken for it', async () => {
    const { holder } = await startHolder()
    const recycled = { ...(parseHolder(holder) as Holder), start: '1' }
    expect(isHolderAlive(formatHolder(recycled))).toBe(false)
  })
})

describe('/proc/PID/stat', () => {
  const rest = '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 123456 20 21'

  it('is parsed after the last bracket, since a program chooses its own name', () => {
    expect(parseProcessStat(`77 (a) Z 1 (b c) S ${rest}`)).toEqual(running('123456'))
  })

  it.each(['Z', 'X', 'x'])('treats a process in state %s as ended', (state) => {
    expect(parseProcessStat(`77 (node) ${state} ${rest}`)).toEqual({ kind: 'gone' })
  })

  it.each(['', '77 (node)', '77 (node) S 1 2', 'nonsense'])('%j gives nothing', (line) => {
    expect(parseProcessStat(line)).toEqual({ kind: 'hidden' })
  })
})

describe('a machine without /proc', () => {
  const answers = (lines: Record<string, string>) =>
    createOtherProcesses((program, args) => lines[`${program} ${args.join(' ')}`] ?? null)
  const ps = (pid: number) => `ps -o stat=,lstart= -p ${pid}`

  it('gets a process’s start time and the boot session from ps', () => {
    const processes = answers({
      'sysctl -n kern.bootsessionuuid': 'ABC',
      [ps(1)]: 'Ss   Mon Nov  2 10:00:00 2026',
      [ps(2)]: 'Z    Mon Nov  2 10:00:00 2026',
    })
    expect(processes.boot).toBe('ABC')
    expect(processes.look(1)).toEqual(running('Mon Nov 2 10:00:00 2026'))
    expect(processes.look(2)).toEqual({ kind: 'gone' })
  })

  it('still knows whether a pid is in use if ps gives nothing', () => {
    const processes = answers({})
    expect(processes.boot).toBe('')
    expect(processes.look(process.pid)).toEqual(running(''))
    expect(processes.look(2 ** 31 - 1)).toEqual({ kind: 'gone' })
  })

  it('sees this very process with the ps of this machine', () => {
    expect(createOtherProcesses().look(process.pid)).toMatchObject({ kind: 'running' })
  })
})

/** A waiting process, and how it would describe itself. */
async function startHolder() {
  const child = spawn(process.execPath, ['-e', 'process.stdout.write("x"); setInterval(() => {}, 1000)'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const processes = systemProcesses()
  const pid = child.pid ?? 0
  const sighting = processes.look(pid)
  const start = sighting.kind === 'running' ? sighting.start : ''
  const { host, pidNamespace, boot } = processes
  return { child, holder: formatHolder({ host, pidNamespace, boot, pid, start, nonce: 'x' }) }
}
