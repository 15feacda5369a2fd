import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTools } from '../tools.fixture.ts'
import { search } from './search.ts'

describe('glob', () => {
  it('finds files in alphabetical order, including hidden ones', async () => {
    const { call, put } = await openTools()
    for (const path of ['src/b.ts', 'src/a.ts', 'src/deep/c.ts', 'src/d.js', '.env']) put(path, '')
    expect(await call('glob', { pattern: 'src/**/*.ts' })).toBe('src/a.ts\nsrc/b.ts\nsrc/deep/c.ts')
    expect(await call('glob', { pattern: '**/*.{js,ts}', path: 'src' })).toBe(
      'src/a.ts\nsrc/b.ts\nsrc/d.js\nsrc/deep/c.ts',
    )
    expect(await call('glob', { pattern: '*' })).toBe('.env')
    expect(await call('glob', { pattern: '*.py' })).toBe('No file matches.')
    await expect(call('glob', { pattern: '*', path: 'scr' })).rejects.toThrow('Did you mean src?')
    await expect(call('glob', { pattern: '*', path: 'src/a.ts' })).rejects.toThrow('is a file, not a folder')
  })

  it('omits what git ignores, by the nearest rule, and version control folders', async () => {
    const { call, put } = await openTools()
    put('.gitignore', 'dist/\n*.log\n!keep.log\n')
    put('src/.gitignore', '!*.log\nsecret.ts\n')
    for (const path of ['dist/a.js', 'a.log', 'keep.log', 'src/b.log', 'src/secret.ts', 'src/a.ts', 'secret.ts'])
      put(path, 'x')
    for (const path of ['node_modules/x/index.js', '.git/HEAD', 'src/node_modules/y.js']) put(path, 'x')
    expect((await call('glob', { pattern: '**' })).split('\n')).toEqual([
      '.gitignore',
      'keep.log',
      'secret.ts',
      'src/.gitignore',
      'src/a.ts',
      'src/b.log',
    ])
    expect(await call('glob', { pattern: '**', path: 'dist' })).toBe('dist/a.js')
    expect(await call('glob', { pattern: '**', path: 'node_modules' })).toBe('node_modules/x/index.js')
  })

  it('applies the ignore rules of the repository that contains the working folder', async () => {
    const { folder, put } = await openTools()
    mkdirSync(join(folder, '.git'))
    put('.gitignore', '*.log\n')
    put('inner/a.log', '')
    put('inner/a.txt', '')
    const { call } = await openTools({ workingFolder: join(folder, 'inner') })
    expect(await call('glob', { pattern: '**' })).toBe('a.txt')
  })

  it.each(['../**', '/etc/*', '{..,x}/*', 'a/../../*', '@(..)/*', '\0', 'x'.repeat(2000), ''])(
    'I7: refuses the pattern %j',
    async (pattern) => {
      const { call, outside } = await openTools()
      writeFileSync(join(outside, 'secret.txt'), '')
      await expect(call('glob', { pattern })).rejects.toMatchObject({ code: 'tool_failed' })
      const asGlob = pattern === '' ? '\0' : pattern
      await expect(call('grep', { pattern: 'x', glob: asGlob })).rejects.toMatchObject({ code: 'tool_failed' })
    },
  )

  it('follows no links', async () => {
    const { call, folder, outside } = await openTools()
    writeFileSync(join(outside, 'secret.txt'), 'secret')
    symlinkSync(outside, join(folder, 'linked'))
    symlinkSync('.', join(folder, 'round'))
    expect(await call('glob', { pattern: '**' })).toBe('No file matches.')
    expect(await call('glob', { pattern: 'linked/*' })).toBe('No file matches.')
    expect(await call('glob', { pattern: 'round/linked/**' })).toBe('No file matches.')
    expect(await call('grep', { pattern: 'secret' })).toBe('No line matches.')
    expect(await call('grep', { pattern: 'secret', glob: 'linked/*' })).toBe('No line matches.')
  })

  it('shows a bounded number of results, and counts the rest', async () => {
    const { call, put } = await openTools()
    for (let index = 0; index < 503; index++) put(`f${index}.txt`, '')
    expect(await call('glob', { pattern: '*.txt' })).toMatch(/\[3 more; narrow the pattern\]$/)
  })
})

describe('grep', () => {
  it('shows matching lines with file and number', async () => {
    const { call, put } = await openTools()
    put('src/a.ts', 'one\r\nTwo\nthree\ntwo\n')
    put('b.md', 'two')
    expect(await call('grep', { pattern: 'two' })).toBe('b.md:1: two\nsrc/a.ts:4: two')
    expect(await call('grep', { pattern: 'two', ignoreCase: true, glob: '*.ts' })).toBe(
      'src/a.ts:2: Two\nsrc/a.ts:4: two',
    )
    expect(await call('grep', { pattern: '(?i)TWO', path: 'src/a.ts', filesOnly: true })).toBe('src/a.ts')
    expect(await call('grep', { pattern: '^three$', context: 1 })).toBe(
      'src/a.ts:2- Two\nsrc/a.ts:3: three\nsrc/a.ts:4- two',
    )
    expect(await call('grep', { pattern: 'four' })).toBe('No line matches.')
  })

  it('matches plain text on request, and explains an invalid pattern', async () => {
    const { call, put } = await openTools()
    put('a.ts', 'call(x[0])')
    expect(await call('grep', { pattern: 'call(x[0])', literal: true })).toBe('a.ts:1: call(x[0])')
    expect(await call('grep', { pattern: String.raw`call\(x\[\d\]\)` })).toBe('a.ts:1: call(x[0])')
    expect(await call('grep', { pattern: String.raw`\p{L}+\-?\(` })).toBe('No line matches.')
    await expect(call('grep', { pattern: 'call(' })).rejects.toThrow('To look for it as plain text, set literal.')
    await expect(call('grep', { pattern: '' })).rejects.toThrow('empty')
  })

  it('C6: a pattern that never finishes is stopped by the signal, and by the clock', async () => {
    const { call, put, folder } = await openTools()
    put('a.txt', `${'a'.repeat(50)}!`)
    const bomb = '^(a+)+$'
    const signal = AbortSignal.timeout(300)
    await expect(call('grep', { pattern: bomb }, signal)).rejects.toMatchObject({ name: 'TimeoutError' })
    const grep = {
      base: folder,
      pattern: bomb,
      isLiteral: false,
      ignoreCase: false,
      context: 0,
      mostMatches: 1,
      mostPerFile: 1,
    }
    await expect(search({ kind: 'grep', files: null, file: 'a.txt', grep }, undefined, 300)).rejects.toThrow(
      'The search took longer than 0.3 s and was ended.',
    )
  })

  it('shows a part of a long line and of many matches, and omits binary files', async () => {
    const { call, put } = await openTools()
    put('long.js', `${'x'.repeat(10_000)}needle${'y'.repeat(10_000)}`)
    put('bin', Buffer.from('needle\0'))
    put('many.txt', 'needle in a line that is not so short after all\n'.repeat(1000))
    const found = await call('grep', { pattern: 'needle' })
    expect(found.split('\n')[0]).toMatch(/^long\.js:1: …x+needley+…$/)
    expect(found.split('\n')[0]!.length).toBeLessThan(400)
    expect(found).toContain('[stopped after 300 matches')
    expect(found).not.toContain('bin:')
  })

  it('puts long results into a file that read and grep can open', async () => {
    const { call, put, artifactFolder } = await openTools()
    put('many.txt', `${'needle '.repeat(30)}\n`.repeat(290))
    const found = await call('grep', { pattern: 'needle' })
    expect(found.length).toBeLessThan(31_000)
    const path = join(artifactFolder, 'grep-1.txt')
    expect(found).toContain(`all of it is in ${path}`)
    expect(await call('read', { path, offset: 290 })).toContain('many.txt:290: needle')
    expect(await call('grep', { path, pattern: 'many.txt:290' })).toContain('needle')
  })
})
