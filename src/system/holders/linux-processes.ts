import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { parseProcessStat } from './parse-process-stat.ts'
import type { Processes, ProcessSighting } from './processes.ts'
import { sightingWithoutStart } from './sighting-without-start.ts'

/** The processes of a Linux machine or container, from /proc. */
export function createLinuxProcesses(): Processes {
  return {
    host: hostname(),
    pidNamespace: readOr('', () => readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '')),
    boot: readOr('', () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    look,
  }
}

function look(pid: number): ProcessSighting {
  const line = readOr(null, () => readFileSync(`/proc/${pid}/stat`, 'latin1'))
  // Some systems hide other users' processes in /proc.
  return line === null ? sightingWithoutStart(pid, { kind: 'hidden' }) : parseProcessStat(line)
}

function readOr<T, U>(otherwise: U, read: () => T): T | U {
  try {
    return read()
  } catch {
    return otherwise
  }
}
