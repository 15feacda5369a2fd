/** A queue of lines, bounded in bytes. */
export interface LineQueue {
  /** `false`: the queue is full. */
  push(line: string): boolean
  /** The oldest lines, at least one, that together fit into `maxBytes`. They stay in the queue. */
  peek(maxBytes: number): readonly Buffer[]
  /** Removes the oldest `count` lines. */
  remove(count: number): void
  readonly size: number
}

export function createLineQueue(maxBytes: number): LineQueue {
  let lines: Buffer[] = []
  let bytes = 0
  return {
    push(line) {
      const data = Buffer.from(line)
      if (bytes + data.length > maxBytes) return false
      lines.push(data)
      bytes += data.length
      return true
    },
    peek(maxTogether) {
      let together = 0
      const end = lines.findIndex((line, index) => {
        together += line.length
        return index > 0 && together > maxTogether
      })
      return end === -1 ? lines.slice() : lines.slice(0, end)
    },
    remove(count) {
      for (const line of lines.slice(0, count)) bytes -= line.length
      lines = lines.slice(count)
    },
    get size() {
      return lines.length
    },
  }
}
