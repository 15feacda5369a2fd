import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { fileURLToPath } from 'node:url'

/** A function that was called, and the file that it is in. */
export interface Visit {
  readonly file: string
  readonly name: string
}

const SOURCE = new URL('../../src/', import.meta.url).href
// Doubles stand in for the world outside.
const NOT_WALKED = /^(?:testing|scripted)\//

/** Watches which functions of the product are called between two moments of this process. */
export interface Watch {
  /** Forgets what was called so far. */
  begin(): void
  /** What was called since then. */
  end(): readonly Visit[]
}

/** The product must be loaded after this: V8 counts only what it compiles from then on. */
export function startWatch(): Watch {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const take = (): readonly Visit[] => {
    const visits: Visit[] = []
    session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error !== null) throw error
      for (const { url, functions } of taken.result) {
        const file = url.startsWith(SOURCE) ? url.slice(SOURCE.length) : null
        if (file === null || NOT_WALKED.test(file)) continue
        for (const { functionName, ranges } of functions) {
          if ((ranges[0]?.count ?? 0) > 0) visits.push({ file, name: functionName })
        }
      }
    })
    return visits
  }
  return { begin: () => void take(), end: take }
}

/** How a walk reads: its length, then each room with its functions and files. */
export function describeWalk(name: string, most: number, visits: readonly Visit[], showsFiles: boolean): string {
  const files = new Set(visits.map(({ file }) => file))
  const head = `${name}: ${visits.length} functions (at most ${most}) in ${files.size} files, median ${medianLines(visits)} lines`
  const rows = grouped(visits, ({ file }) => roomOf(file)).flatMap(([room, inRoom]) => {
    const ofRoom = grouped(inRoom, ({ file }) => file)
    const counts = `${String(inRoom.length).padStart(4)} functions  ${String(ofRoom.length).padStart(3)} files`
    const row = `  ${room.padEnd(28)} ${counts}`
    if (!showsFiles) return [row]
    return [
      row,
      ...ofRoom.map(([file, own]) => `    ${file}: ${own.map((visit) => visit.name || '(anonymous)').join(', ')}`),
    ]
  })
  return `${[head, ...rows].join('\n')}\n`
}

/** The visits by what `keyOf` says of them, in the order of the keys. */
function grouped(visits: readonly Visit[], keyOf: (visit: Visit) => string): readonly [string, readonly Visit[]][] {
  const keys = [...new Set(visits.map(keyOf))].toSorted()
  return keys.map((key) => [key, visits.filter((visit) => keyOf(visit) === key)])
}

/** Of the files that a walk comes through. */
export function medianLines(visits: readonly Visit[]): number {
  const files = [...new Set(visits.map(({ file }) => file))]
  const lines = files.map((file) => readFileSync(fileURLToPath(new URL(file, SOURCE)), 'utf8').split('\n').length)
  return lines.toSorted((left, right) => left - right)[Math.floor(lines.length / 2)] ?? 0
}

/** The folder of a file, two levels deep: `governor/calls`. */
function roomOf(file: string): string {
  return file.split('/').slice(0, -1).slice(0, 2).join('/')
}
