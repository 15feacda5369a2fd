import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTools } from '../tools.fixture.ts'

const failure = (text: string | RegExp) => ({ code: 'tool_failed', message: expect.stringMatching(text) })

describe('the files of a run', () => {
  it.each([
    ['a path above', '../outside/secret.txt', 'outside the working folder'],
    ['a path above, on a detour', 'a/../../outside/secret.txt', 'outside the working folder'],
    ['an absolute path', '/etc/passwd', 'outside the working folder'],
    ['a link to a file', 'link.txt', 'outside the working folder'],
    ['a path through a link to a folder', 'linked/secret.txt', 'outside the working folder'],
    ['a new file behind a link to a folder', 'linked/new/deep.txt', 'outside the working folder'],
    ['a NUL character', 'a\0b', 'NUL'],
    ['an empty name', ' ', 'empty'],
    ['300 characters', 'x'.repeat(300), 'too long'],
    ['a path of 5000 characters', 'y/'.repeat(2500), 'too long'],
    ['links that go round in circles', 'round', 'cannot be read'],
    ['a link to nothing', 'dangling', 'link to nothing'],
  ])('I7: are neither read, written, edited nor searched at %s', async (_, path, message) => {
    const tools = await openTools()
    writeFileSync(join(tools.outside, 'secret.txt'), 'secret')
    symlinkSync(join(tools.outside, 'secret.txt'), join(tools.folder, 'link.txt'))
    symlinkSync(tools.outside, join(tools.folder, 'linked'))
    symlinkSync('round', join(tools.folder, 'round'))
    symlinkSync(join(tools.outside, 'not-there'), join(tools.folder, 'dangling'))
    await expect(tools.call('read', { path })).rejects.toMatchObject(failure(message))
    await expect(tools.call('write', { path, content: 'x' })).rejects.toMatchObject(failure(message))
    await expect(tools.call('edit', { path, oldText: 's', newText: 'x' })).rejects.toMatchObject(failure(message))
    await expect(tools.call('grep', { path, pattern: 's' })).rejects.toMatchObject(failure(message))
    await expect(tools.call('glob', { path, pattern: '**' })).rejects.toMatchObject(failure(message))
    expect(readFileSync(join(tools.outside, 'secret.txt'), 'utf8')).toBe('secret')
    expect([existsSync(join(tools.outside, 'not-there')), existsSync(join(tools.outside, 'new'))]).toEqual([
      false,
      false,
    ])
  })

  it.each([
    'AGENTS.md',
    'CLAUDE.md',
    'GEMINI.md',
    'docs/claude/notes.md',
    'package.json',
    '.github/workflows/test.yml',
    '.gitignore',
    '.env.example',
    'vscode/tasks.json',
  ])('can be written at %s, which people edit in their daily work', async (path) => {
    const tools = await openTools()
    await tools.call('write', { path, content: 'new' })
    expect(await tools.call('read', { path })).toBe('1\tnew')
  })

  it.each([
    '.stint/agents/developer.md',
    '.STINT/agents/developer.md',
    '.st\u200bint/agents/developer.md',
    'packages/one/.stint/x',
    'stint.config.yaml',
    'Stint.Config.YML',
    'stint.config.json',
    '.claude/agents/x.md',
    '.claude/hooks/before.sh',
    '.claude/commands/deploy.md',
    '.claude/CLAUDE.md',
    '.mcp.json',
    'packages/one/.mcp.json',
    '.codex/config.toml',
    '.cursor/mcp.json',
    '.gemini/settings.json',
    '.opencode/plugin/x.ts',
    'opencode.json',
    '.pi/extensions/x.ts',
    '.vscode/tasks.json',
    '.idea/runConfigurations/x.xml',
    '.devcontainer/devcontainer.json',
    '.husky/pre-commit',
    '.githooks/pre-commit',
    '.pre-commit-config.yaml',
    'lefthook.yml',
    '.envrc',
    '.EnvRC',
    '.pi/agents/x.md',
    '.pi/settings.json',
    '.agents/x.md',
    '.git/config',
    '.git/hooks/pre-commit',
    '.GIT/config',
  ])('are never written at %s, but may be read there', async (path) => {
    const tools = await openTools()
    tools.put(path, 'limits')
    await expect(tools.call('write', { path, content: 'x' })).rejects.toMatchObject(
      failure('may be read but not written'),
    )
    const edit = tools.call('edit', { path, oldText: 'limits', newText: 'x' })
    await expect(edit).rejects.toMatchObject(failure('may be read but not written'))
    expect(await tools.call('read', { path })).toBe('1\tlimits')
  })

  it('cannot be written at protected places, or seen at hidden ones', async () => {
    const tools = await openTools()
    expect(await tools.call('write', { path: 'roles/x.md', content: 'x' })).toContain('Created')
    const base = tools.folder
    mkdirSync(join(base, 'ledger'))
    writeFileSync(join(base, 'ledger', 'ledger.db'), 'needle')
    const strict = await openTools({
      workingFolder: base,
      protectedPaths: [join(base, 'roles')],
      hiddenPaths: [join(base, 'ledger')],
    })
    await expect(strict.call('write', { path: 'roles/x.md', content: 'y' })).rejects.toMatchObject(
      failure('not written'),
    )
    await expect(strict.call('write', { path: 'Roles/new.md', content: 'y' })).rejects.toMatchObject(
      failure('not written'),
    )
    await expect(strict.call('read', { path: 'ledger/ledger.db' })).rejects.toMatchObject(failure('not for agents'))
    expect(await strict.call('grep', { pattern: 'needle' })).toBe('No line matches.')
    expect(await strict.call('glob', { pattern: '**' })).toBe('roles/x.md')
    expect(await strict.call('glob', { pattern: 'ledger/*' })).toBe('No file matches.')
  })

  it('may be targets of links inside the folder', async () => {
    const tools = await openTools()
    tools.put('real/a.txt', 'one')
    symlinkSync('real', join(tools.folder, 'alias'))
    symlinkSync('.stint', join(tools.folder, 'innocent'))
    mkdirSync(join(tools.folder, '.stint'))
    expect(await tools.call('write', { path: 'alias/a.txt', content: 'two' })).toBe('Replaced real/a.txt (1 line).')
    expect(readFileSync(join(tools.folder, 'real/a.txt'), 'utf8')).toBe('two')
    await expect(tools.call('write', { path: 'innocent/x', content: 'x' })).rejects.toMatchObject(
      failure('not written'),
    )
  })

  it('protect a file that has a second name by a hard link', async () => {
    const tools = await openTools()
    const file = tools.put('.stint/config.md', 'limits')
    linkSync(file, join(tools.folder, 'plain.md'))
    await tools.call('write', { path: 'plain.md', content: 'none' })
    expect(readFileSync(file, 'utf8')).toBe('limits')
    expect(readFileSync(join(tools.folder, 'plain.md'), 'utf8')).toBe('none')
  })
})
