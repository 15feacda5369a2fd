import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { type FileHandle, open as openFile } from 'node:fs/promises'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { eventDraftFixture } from '../../core/events/event.fixture.ts'
import type { StintEvent } from '../../core/index.ts'
import { createEventHub } from '../../governor/events/event-hub.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import { eventLine } from './event-line.ts'
import { createJsonlSink, type JsonlSinkOptions } from './jsonl-sink.ts'
import { type LogFileHandle, type OpenLogFile, openLogFile } from './log-file.ts'
import { logFolderFixture, seqsIn } from './log-folder.fixture.ts'
import type { SinkProblem } from './problem-reporter.ts'

const event = (seq: number, message = 'more than $10 in an hour') =>
  ({ ...eventDraftFixture('alert_raised', 'run-1', { message }), seq }) as StintEvent
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

function sinkOf(options: Partial<JsonlSinkOptions> = {}) {
  const clock = createManualClock()
  const file = options.file ?? join(logFolderFixture(), 'logs', 'execution-limits.log')
  const problems: SinkProblem[] = []
  const sink = createJsonlSink({ file, clock, onProblem: (problem) => problems.push(problem), ...options })
  const hear = (from: number, to = from) => {
    for (const seq of range(from, to)) sink.listener(event(seq))
  }
  return { clock, file, problems, sink, hear }
}

/** A disk on which writes fail or are cut short while `isBroken` is set. */
function brokenDisk(write: (handle: LogFileHandle, data: Uint8Array) => Promise<{ bytesWritten: number }>) {
  const disk = { isBroken: true, opened: 0 }
  const open: OpenLogFile = async (file) => {
    disk.opened++
    const handle = (await openLogFile(file)) as FileHandle
    return {
      stat: () => handle.stat(),
      read: (...place) => handle.read(...place),
      write: (data) => (disk.isBroken ? write(handle, data) : handle.write(data)),
      truncate: (length) => handle.truncate(length),
      close: () => handle.close(),
    }
  }
  return { disk, open }
}

/** A real full disk, if the platform has one. */
async function writeToFullDisk(data: Uint8Array): Promise<{ bytesWritten: number }> {
  if (!existsSync('/dev/full')) throw failure('ENOSPC')
  const full = await openFile('/dev/full', 'w')
  try {
    return await full.write(data)
  } finally {
    await full.close()
  }
}

const failure = (code: string) => Object.assign(new Error(`${code}: it does not work`), { code })

describe('createJsonlSink', () => {
  it('appends one line per event, in order, to the existing file', async () => {
    const { file, sink, hear } = sinkOf()
    hear(1, 2)
    expect(await sink.flush()).toBe(true)
    hear(3)
    await sink.close()
    expect(seqsIn(file)).toEqual([1, 2, 3])
    expect(sink.stats()).toEqual({ written: 3, queued: 0, lost: 0 })
  })

  it('creates a folder and a file that only their owner can read', async () => {
    const { file, sink, hear } = sinkOf()
    hear(1)
    await sink.flush()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
  })

  it('writes events of the same tick at once', async () => {
    const { disk, open } = brokenDisk((handle, data) => handle.write(data))
    const { file, sink, hear } = sinkOf({ open })
    hear(1, 500)
    await sink.flush()
    expect(seqsIn(file)).toEqual(range(1, 500))
    expect(disk.opened).toBe(1)
  })

  it('writes without being flushed', async () => {
    const { file, hear } = sinkOf()
    hear(1, 3)
    await expect.poll(() => seqsIn(file)).toEqual([1, 2, 3])
  })

  it('rotates full files, keeps the newest, and neither loses nor splits a line', async () => {
    const lineBytes = Buffer.byteLength(`${JSON.stringify(event(10))}\n`)
    const { file, sink, hear } = sinkOf({ maxBytes: 3 * lineBytes + 5, keep: 3 })
    hear(10, 14)
    await sink.flush()
    hear(15, 25)
    await sink.flush()
    expect(seqsIn(file)).toEqual([25])
    expect(seqsIn(`${file}.1`)).toEqual([22, 23, 24])
    expect(seqsIn(`${file}.2`)).toEqual([19, 20, 21])
    expect(seqsIn(`${file}.3`)).toEqual([16, 17, 18])
    expect(existsSync(`${file}.4`)).toBe(false)
    expect(existsSync(`${file}.lock`)).toBe(false)
    expect(sink.stats()).toEqual({ written: 16, queued: 0, lost: 0 })
  })

  it('gives a line longer than the maximum a file of its own', async () => {
    const { file, sink } = sinkOf({ maxBytes: 100 })
    for (const seq of [1, 2]) sink.listener(event(seq))
    await sink.flush()
    expect(seqsIn(file)).toEqual([2])
    expect(seqsIn(`${file}.1`)).toEqual([1])
  })

  it('shares a file with other sinks without losing lines at rotation', async () => {
    const file = join(logFolderFixture(), 'shared.log')
    const sinks = range(0, 3).map(() => sinkOf({ file, maxBytes: 20_000, keep: 1000 }))
    for (let round = 0; round < 20; round++) {
      sinks.forEach(({ hear }, index) => {
        hear(index * 1000 + round * 10, index * 1000 + round * 10 + 9)
      })
      await Promise.all(sinks.map(({ sink }) => sink.flush()))
    }
    const files = [file, ...range(1, 100).map((number) => `${file}.${number}`)]
    const seqs = files.flatMap(seqsIn).sort((left, right) => left - right)
    expect(existsSync(`${file}.2`)).toBe(true)
    expect(seqs).toEqual(range(0, 3).flatMap((index) => range(index * 1000, index * 1000 + 199)))
  })

  it('takes over the lock of a dead process after a minute', async () => {
    const { file, sink, hear } = sinkOf({ maxBytes: 1000 })
    hear(1, 2)
    await sink.flush()
    writeFileSync(`${file}.lock`, '')
    hear(3, 6)
    await sink.flush()
    expect(seqsIn(file)).toEqual(range(1, 6))
    const old = new Date(Date.now() - 61_000)
    utimesSync(`${file}.lock`, old, old)
    hear(7)
    await sink.flush()
    hear(8)
    await sink.flush()
    expect(seqsIn(`${file}.1`)).toEqual(range(1, 7))
    expect(seqsIn(file)).toEqual([8])
  })

  it('continues after its folder was removed', async () => {
    const { file, sink, hear, problems } = sinkOf()
    hear(1)
    await sink.flush()
    rmSync(join(file, '..'), { recursive: true })
    hear(2)
    expect(await sink.flush()).toBe(true)
    expect(seqsIn(file)).toEqual([2])
    expect(problems).toEqual([])
  })

  it('I3: waits while its file is a directory, reports it once a minute, and writes everything afterwards', async () => {
    const { clock, file, sink, hear, problems } = sinkOf()
    mkdirSync(file, { recursive: true })
    hear(1, 3)
    expect(await sink.flush()).toBe(false)
    expect(await sink.flush()).toBe(false)
    expect(problems).toEqual([
      expect.objectContaining({ file, code: 'EISDIR', queued: 3, message: expect.stringContaining('3 lines queued') }),
    ])
    await clock.advance(60_000)
    await sink.flush()
    expect(problems).toHaveLength(2)
    rmSync(file, { recursive: true })
    expect(await sink.flush()).toBe(true)
    expect(seqsIn(file)).toEqual([1, 2, 3])
    expect(sink.stats().lost).toBe(0)
  })

  it('retries at growing intervals', async () => {
    const { disk, open } = brokenDisk(() => Promise.reject(failure('ENOSPC')))
    const { clock, file, sink, hear } = sinkOf({ open })
    hear(1)
    await sink.flush()
    const triesAfter = async (ms: number) => {
      const before = disk.opened
      await clock.advance(ms)
      await expect.poll(() => clock.pendingTimers).toBe(1)
      return disk.opened - before
    }
    expect(await triesAfter(999)).toBe(0)
    expect(await triesAfter(1)).toBe(1)
    expect(await triesAfter(1999)).toBe(0)
    expect(await triesAfter(1)).toBe(1)
    disk.isBroken = false
    await clock.advance(4000)
    await expect.poll(() => seqsIn(file)).toEqual([1])
  })

  it('does not keep the process alive for a retry', async () => {
    const clock = createManualClock()
    const after = vi.spyOn(clock, 'after')
    const { sink, hear } = sinkOf({ clock, open: () => Promise.reject(failure('EIO')) })
    hear(1)
    await sink.flush()
    expect(after.mock.lastCall).toEqual([1000, expect.any(Function), { unref: true }])
  })

  it('I3: counts what a full disk refuses, and never throws', async () => {
    const { open } = brokenDisk((_, data) => writeToFullDisk(data))
    const { clock, file, sink, hear, problems } = sinkOf({ open, maxQueuedBytes: 2000 })
    const hub = createEventHub({ clock })
    const heard: number[] = []
    hub.on(sink.listener)
    hub.on(({ seq }) => heard.push(seq))
    for (let index = 0; index < 100; index++) hub.emit(eventDraftFixture('call_settled'))
    expect(await hub.drain(1000)).toBe(true)
    hear(1, 100)
    await sink.close()
    expect(heard).toEqual(range(1, 100))
    expect(hub.stats().listeners[0]).toMatchObject({ errors: 0, dropped: 0 })
    expect(problems[0]).toMatchObject({ code: 'ENOSPC' })
    expect(sink.stats()).toEqual({ written: 0, queued: 0, lost: 200 })
    expect(readFileSync(file, 'utf8')).toBe('')
  })

  it('removes the partial line when the disk fills up, and keeps the lines before it', async () => {
    let room = Buffer.byteLength(`${JSON.stringify(event(1))}\n`) * 2 + 7
    const { disk, open } = brokenDisk(async (handle, data) => {
      if (room === 0) throw failure('ENOSPC')
      const { bytesWritten } = await handle.write(data.subarray(0, room))
      room -= bytesWritten
      return { bytesWritten }
    })
    const { file, sink, hear } = sinkOf({ open })
    hear(1, 4)
    expect(await sink.flush()).toBe(false)
    expect(seqsIn(file)).toEqual([1, 2])
    disk.isBroken = false
    expect(await sink.flush()).toBe(true)
    expect(seqsIn(file)).toEqual([1, 2, 3, 4])
    expect(sink.stats()).toEqual({ written: 4, queued: 0, lost: 0 })
  })

  it('starts a new line after one that another process left unfinished', async () => {
    const file = join(logFolderFixture(), 'torn.log')
    writeFileSync(file, `${eventLine(event(1))}{"event":`)
    const { sink, hear } = sinkOf({ file })
    hear(2)
    await sink.flush()
    const lines = readFileSync(file, 'utf8').split('\n')
    expect(lines[1]).toBe('{"event":')
    expect(JSON.parse(lines[2]!).seq).toBe(2)
  })

  it('I3: counts, reports and survives a missing permission to write', async () => {
    const { sink, hear, problems } = sinkOf({ open: () => Promise.reject(failure('EACCES')) })
    hear(1, 2)
    await sink.close()
    expect(problems).toEqual([expect.objectContaining({ code: 'EACCES' })])
    expect(sink.stats()).toEqual({ written: 0, queued: 0, lost: 2 })
  })

  it('I3: a disk that never answers blocks nothing else', async () => {
    const { clock, sink, hear } = sinkOf({ open: () => new Promise<never>(() => {}), maxQueuedBytes: 1000 })
    hear(1, 10)
    const closed = sink.close(2000)
    await clock.advance(2000)
    await closed
    expect(sink.stats()).toEqual({ written: 0, queued: 0, lost: 10 })
  })

  it('never writes through a symbolic link', async () => {
    const folder = logFolderFixture()
    const precious = join(folder, 'precious')
    writeFileSync(precious, 'untouched')
    symlinkSync(precious, join(folder, 'link.log'))
    const { sink, hear, problems } = sinkOf({ file: join(folder, 'link.log') })
    hear(1)
    expect(await sink.flush()).toBe(false)
    expect(readFileSync(precious, 'utf8')).toBe('untouched')
    expect(problems[0]!.message).toContain('it is a symbolic link; name the file itself')
  })

  it('never writes to a device', async () => {
    const { sink, hear, problems } = sinkOf({ file: devNull })
    hear(1)
    expect(await sink.flush()).toBe(false)
    expect(problems[0]!.message).toContain('it is not a plain file')
  })

  it.each([
    ['a file of the user', 'ssh-ed25519 AAAA ann\n'],
    ['a file without a line end', 'x'],
    ['lines of JSON of another program', '{"level":30,"time":1700000000000,"msg":"hello"}\n'],
    ['events of another program', '{"event":"page_view","ts":"2026-01-01T00:00:00.000Z","user":"ann"}\n'],
    ['an empty first line', `\n${eventLine(event(1))}`],
    ['a line that only begins like one of ours', '{"event":"scope_opened","ts":"2026'],
  ])('appends nothing to %s, and reports it', async (_, text) => {
    const file = join(logFolderFixture(), 'precious')
    writeFileSync(file, text)
    const { sink, hear, problems } = sinkOf({ file, maxBytes: 10, keep: 1 })
    hear(1, 50)
    expect(await sink.flush()).toBe(false)
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(existsSync(`${file}.1`)).toBe(false)
    expect(problems[0]!.message).toContain(`${file} is not a Stint log: its first line is not an event.`)
    await sink.close()
    expect(sink.stats()).toEqual({ written: 0, queued: 0, lost: 50 })
  })

  it.each([1, 2, 3])('does not overwrite a file .%i that is not a log when it rotates', async (number) => {
    const { file, sink, hear, problems } = sinkOf({ maxBytes: 1000, keep: 3 })
    hear(1)
    await sink.flush()
    writeFileSync(`${file}.${number}`, 'precious')
    hear(2, 30)
    expect(await sink.flush()).toBe(false)
    expect(readFileSync(`${file}.${number}`, 'utf8')).toBe('precious')
    expect(problems[0]!.message).toContain(`${file}.${number} is not a Stint log`)
    rmSync(`${file}.${number}`)
    expect(await sink.flush()).toBe(true)
  })

  it('does not rotate a file that replaced its log', async () => {
    const { file, sink, hear } = sinkOf({ maxBytes: 1000, keep: 1 })
    hear(1, 2)
    await sink.flush()
    rmSync(file)
    writeFileSync(file, 'precious '.repeat(1000))
    hear(3)
    expect(await sink.flush()).toBe(false)
    expect(readFileSync(file, 'utf8')).toBe('precious '.repeat(1000))
  })

  it('never removes the lock of another program, however old', async () => {
    const { file, sink, hear } = sinkOf({ maxBytes: 1000 })
    hear(1, 2)
    await sink.flush()
    writeFileSync(`${file}.lock`, 'left-pad@1.0.0:\n')
    const old = new Date(Date.now() - 3_600_000)
    utimesSync(`${file}.lock`, old, old)
    hear(3, 6)
    await sink.flush()
    expect(readFileSync(`${file}.lock`, 'utf8')).toBe('left-pad@1.0.0:\n')
    expect(seqsIn(file)).toEqual(range(1, 6))
  })

  it('keeps writing when the file cannot be rotated, up to twice its size, and then drops as little as possible', async () => {
    const { file, sink, hear, problems } = sinkOf({ maxBytes: 1000 })
    mkdirSync(join(`${file}.5`, 'in the way'), { recursive: true })
    writeFileSync(`${file}.4`, '')
    hear(1, 30)
    expect(await sink.flush()).toBe(false)
    expect(statSync(file).size).toBeLessThanOrEqual(3000)
    expect(seqsIn(file)).toEqual(range(1, sink.stats().written))
    expect(problems).toHaveLength(1)
    rmSync(`${file}.5`, { recursive: true })
    expect(await sink.flush()).toBe(true)
    expect(sink.stats()).toEqual({ written: 30, queued: 0, lost: 0 })
  })

  it('survives a problem listener that throws', async () => {
    const { sink, hear } = sinkOf({
      open: () => Promise.reject(failure('EIO')),
      onProblem: () => {
        throw new Error('broken pager')
      },
    })
    hear(1)
    expect(await sink.flush()).toBe(false)
  })

  it('receives nothing after it was closed', async () => {
    const { file, sink, hear } = sinkOf()
    hear(1)
    await sink.close()
    await sink.close()
    hear(2)
    await sink.flush()
    expect(seqsIn(file)).toEqual([1])
  })

  it.each([
    [{ file: '' }, 'file is ""'],
    [{ file: 'a\0b' }, 'file is'],
    [{ file: 'x', maxBytes: 0 }, 'maxBytes is 0'],
    [{ file: 'x', maxBytes: Number.NaN }, 'maxBytes is NaN'],
    [{ file: 'x', keep: -1 }, 'keep is -1'],
    [{ file: 'x', keep: 1.5 }, 'keep is 1.5'],
    [{ file: 'x', maxQueuedBytes: Number.POSITIVE_INFINITY }, 'maxQueuedBytes is Infinity'],
  ])('refuses %o', (options, message) => {
    expect(() => createJsonlSink(options)).toThrow(message)
  })
})
