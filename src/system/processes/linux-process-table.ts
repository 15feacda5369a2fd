import { readdirSync, readFileSync, statSync } from 'node:fs'
import type { ProcessEntry, ProcessTable } from './process-table.ts'

// Counted after the name, which is the program's own choice and may contain spaces and brackets.
const STATE = 0
const PARENT = 1
const GROUP = 2
const SESSION = 3
const START_TICKS = 19
const ENDED = ['Z', 'X', 'x']

/** The processes of this user in /proc. */
export function createLinuxProcessTable(folder = '/proc', userId = process.getuid?.() ?? null): ProcessTable {
  return {
    list: () =>
      readdirOr(folder).flatMap((name) => {
        if (!/^[1-9]\d*$/.test(name)) return []
        const entry = readEntry(folder, Number(name), userId)
        return entry === null ? [] : [entry]
      }),
    look: (pid) => readEntry(folder, pid, userId),
    variableOf(pid, name) {
      const text = readOr(`${folder}/${pid}/environ`)
      const found = text?.split('\0').find((part) => part.startsWith(`${name}=`))
      return found === undefined ? null : found.slice(name.length + 1)
    },
  }
}

function readEntry(folder: string, pid: number, userId: number | null): ProcessEntry | null {
  const line = readOr(`${folder}/${pid}/stat`)
  if (line === null || ownerOf(`${folder}/${pid}`) !== userId) return null
  return parseStat(pid, line)
}

/** Reads a line of `/proc/PID/stat`; `null` for what has ended and only waits to be buried. */
export function parseStat(pid: number, line: string): ProcessEntry | null {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const start = fields[START_TICKS] ?? ''
  if (!/^\d+$/.test(start) || ENDED.includes(fields[STATE] ?? '')) return null
  const number = (index: number): number => Number(fields[index])
  return { pid, parentPid: number(PARENT), groupId: number(GROUP), sessionId: number(SESSION), start }
}

function ownerOf(path: string): number | null {
  try {
    return statSync(path).uid
  } catch {
    return Number.NaN
  }
}

function readOr(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It ended meanwhile, or is not ours to look at.
    return null
  }
}

function readdirOr(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
