/** What the benchmark asks a program that it measures. */
export type Question = { readonly question: 'cpu' } | { readonly question: 'memory' }

/** The CPU that the whole program has used since it started. */
export interface CpuAnswer {
  readonly cpuMicros: number
}

/** What the program holds after collecting its garbage. */
export interface MemoryAnswer {
  readonly heapBytes: number
  readonly residentBytes: number
}

/** Says on which port a program listens, answers what the benchmark asks it, and ends it with the benchmark. */
export function answerQuestions(port: number): void {
  process.on('message', ({ question }: Question) => {
    process.send?.(question === 'cpu' ? cpuUsed() : memoryHeld())
  })
  process.on('disconnect', () => process.exit())
  process.send?.({ port })
}

function cpuUsed(): CpuAnswer {
  const { user, system } = process.cpuUsage()
  return { cpuMicros: user + system }
}

function memoryHeld(): MemoryAnswer {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  return { heapBytes: heapUsed, residentBytes: rss }
}
