import { readdirSync, readFileSync, statSync } from 'node:fs'
import { parseProcessStat, statFields } from '../holders/parse-process-stat.ts'
import type { ProcessEntry, ProcessTable } from './process-table.ts'

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

/** Reads a line of `/proc/PID/stat`; `null` for a zombie. */
export function parseStat(pid: number, line: string): ProcessEntry | null {
  const sighting = parseProcessStat(line)
  if (sighting.kind !== 'running') return null
  const [, parentPid, groupId, sessionId] = statFields(line).map(Number) as [number, number, number, number]
  return { pid, parentPid, groupId, sessionId, start: sighting.start }
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
    // It has ended, or we may not read it.
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
