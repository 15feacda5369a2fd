import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openTools } from '../tools.fixture.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

describe('read', () => {
  it('shows the requested number of lines with their numbers, from an offset', async () => {
    const { call, put } = await openTools()
    put('a.txt', 'one\r\ntwo\nthree\nfour\n')
    expect(await call('read', { path: 'a.txt' })).toBe('1\tone\n2\ttwo\n3\tthree\n4\tfour')
    expect(await call('read', { path: 'a.txt', offset: 2, limit: 2 })).toBe(
      '2\ttwo\n3\tthree\n[more follows: continue with offset 4]',
    )
    expect(await call('read', { path: 'a.txt', offset: 3, limit: 2 })).toBe('3\tthree\n4\tfour')
    await expect(call('read', { path: 'a.txt', offset: 9 })).rejects.toThrow('has only 4 lines')
  })

  it('handles an empty file, a last line without an end, and characters on the border of two chunks', async () => {
    const { call, put } = await openTools()
    put('empty', '')
    put('open', 'a\nb')
    put('wide', `${'x'.repeat(64 * 1024 - 1)}é\nend`)
    expect(await call('read', { path: 'empty' })).toBe('empty is empty.')
    expect(await call('read', { path: 'open' })).toBe('1\ta\n2\tb')
    expect(await call('read', { path: 'wide', offset: 2 })).toBe('2\tend')
    const lines = `${'x'.repeat(1000)}\n`.repeat(65)
    put('border', `${lines}${'y'.repeat(64 * 1024 - lines.length - 1)}é`)
    expect(await call('read', { path: 'border', offset: 66 })).not.toContain('\uFFFD')
  })

  it('describes binary files without dumping them', async () => {
    const { call, put } = await openTools()
    put('a.png', PNG)
    put('b.bin', Buffer.from([1, 2, 0, 3]))
    put('c.txt', 'BMW is no picture')
    expect(await call('read', { path: 'a.png' })).toBe('a.png is a PNG picture of 16 bytes. It is not shown.')
    expect(await call('read', { path: 'b.bin' })).toBe('b.bin is a binary file of 4 bytes. It is not shown.')
    expect(await call('read', { path: 'c.txt' })).toBe('1\tBMW is no picture')
  })

  it('suggests names if the file does not exist', async () => {
    const { call, put } = await openTools()
    put('src/config.ts', '')
    await expect(call('read', { path: 'src/confg.ts' })).rejects.toThrow(
      'There is no src/confg.ts. Did you mean config.ts?',
    )
    await expect(call('read', { path: 'lib/config.ts' })).rejects.toThrow('nor its folder')
    await expect(call('read', { path: 'src/config.ts/x' })).rejects.toThrow('is a file, not a folder')
    await expect(call('read', { path: 'src' })).rejects.toThrow('src is a folder, not a file. In it: config.ts.')
  })

  it('does not hang on a FIFO, a socket or a device', async () => {
    const { call, folder } = await openTools()
    await call('bash', { command: 'mkfifo fifo' })
    const server = createServer().listen(join(folder, 'socket'))
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    symlinkSync('/dev/zero', join(folder, 'zero'))
    await expect(call('read', { path: 'fifo' })).rejects.toThrow('is a FIFO, not a file')
    await expect(call('read', { path: 'socket' })).rejects.toThrow('not a readable file')
    await expect(call('read', { path: 'zero' })).rejects.toThrow('outside the working folder')
    await expect(call('write', { path: 'fifo', content: 'x' })).rejects.toThrow('is a FIFO, not a file')
    await expect(call('grep', { path: 'fifo', pattern: 'x' })).rejects.toThrow('fifo is a FIFO, not a file or a folder')
    await expect(call('glob', { path: 'fifo', pattern: '*' })).rejects.toThrow('fifo is a FIFO')
    expect(await call('grep', { pattern: 'x' })).toBe('No line matches.')
  })

  it('shows a part of long files and long lines', async () => {
    const { call, put, folder } = await openTools()
    put('long.txt', `${'word '.repeat(20)}\n`.repeat(5_000))
    const shown = await call('read', { path: 'long.txt' })
    expect(shown.length).toBeLessThan(31_000)
    const next = Number(/continue with offset (\d+)/.exec(shown)?.[1])
    expect(await call('read', { path: 'long.txt', offset: next, limit: 1 })).toMatch(`${next}\tword`)
    put('one-line.txt', 'z'.repeat(5_000_000))
    expect((await call('read', { path: 'one-line.txt' })).length).toBeLessThan(2_100)
    const huge = put('huge.txt', 'start\n')
    truncateSync(huge, 50_000_000_000)
    expect(await call('read', { path: 'huge.txt' })).toContain('a binary file of 50000000000 bytes')
    writeFileSync(join(folder, 'flat.txt'), 'a\n'.repeat(40_000))
    expect(await call('read', { path: 'flat.txt', offset: 39_999 })).toBe('39999\ta\n40000\ta')
  })

  it('reads in the folder for long output, and cannot write there', async () => {
    const { call, artifactFolder } = await openTools()
    mkdirSync(artifactFolder)
    writeFileSync(join(artifactFolder, 'bash-1.txt'), 'all of it')
    expect(await call('read', { path: join(artifactFolder, 'bash-1.txt') })).toBe('1\tall of it')
    const write = call('write', { path: join(artifactFolder, 'x.txt'), content: '' })
    await expect(write).rejects.toThrow('outside the working folder')
  })

  it('C6: stops when it is aborted', async () => {
    const { call, put } = await openTools()
    put('a.txt', 'one')
    await expect(call('read', { path: 'a.txt' }, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
  })
})
