import { describe, expect, it } from 'vitest'
import { selectTools } from './tool-names.ts'

const own = (names: readonly string[] | null, without: readonly string[] = []) => [
  ...selectTools(names, without, []).own,
]

describe('the names of tools', () => {
  it('accept the spellings of Claude Code and pi', () => {
    expect(own(null)).toEqual(['read', 'write', 'edit', 'grep', 'glob', 'bash'])
    expect(own(['*'])).toHaveLength(6)
    expect(own(['Read', 'Write', 'Edit', 'Grep', 'Glob', 'Bash'])).toHaveLength(6)
    expect(own(['MultiEdit', ' LS ', 'find', 'budget'])).toEqual(['edit', 'glob'])
    expect(own([])).toEqual([])
    expect(own(null, ['Bash', 'write', 'WebSearch'])).toEqual(['read', 'edit', 'grep', 'glob'])
  })

  it('of other programs are missing, and so is a part of a tool that cannot be granted', () => {
    const names = ['read', 'WebSearch', 'Task', 'TaskUpdate', 'Skill', 'Bash(git log:*)', 'mcp__github__search']
    const { own: found, missing } = selectTools(names, [], [])
    expect([...found]).toEqual(['read'])
    expect(missing).toEqual(names.slice(1))
  })

  it('with arguments forbid the whole tool', () => {
    const { own: found, warnings } = selectTools(null, ['Bash(rm:*)'], [])
    expect([...found]).not.toContain('bash')
    expect(warnings).toEqual(['A part of a tool cannot be disallowed (Bash(rm:*)): the whole tool is disallowed.'])
  })

  it.each([
    ['reed', 'did you mean "read"'],
    ['bassh', 'did you mean "bash"'],
    ['', 'one of read, write'],
    ['__proto__', 'one of read, write'],
    ['teleport', 'one of read, write'],
  ])('that are unknown are refused: %j', (name, message) => {
    expect(() => selectTools([name], [], [])).toThrow(message)
    expect(() => selectTools(null, [name], [])).toThrow(message)
  })

  it("of MCP servers are accepted in our spelling and Claude Code's", () => {
    const servers = ['git', 'git__hub', 'web']
    const wants = (names: readonly string[] | null, without: readonly string[] = []) => {
      const selection = selectTools(names, without, servers)
      return servers.flatMap((server) => (selection.isServerToolWanted(server, 'search') ? [server] : []))
    }
    expect(wants(null)).toEqual(servers)
    expect(wants(['read'])).toEqual([])
    expect(wants(['mcp:git', 'mcp:web/search'])).toEqual(['git', 'web'])
    expect(wants(['mcp__web__search', 'mcp__git'])).toEqual(['git', 'web'])
    expect(wants(['mcp__web__*'])).toEqual(['web'])
    expect(wants(['mcp__web__other'])).toEqual([])
    expect(wants(['mcp__git__hub__search'])).toEqual(['git__hub'])
    expect(wants(null, ['mcp:web', 'mcp:git/search'])).toEqual(['git__hub'])
    expect(wants(null, ['*'])).toEqual([])
  })
})
