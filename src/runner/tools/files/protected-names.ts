import { foldName } from './fold-name.ts'

/**
 * Sequences of names, anywhere below the working folder: what a run in a folder further down would read counts too. What
 * another agent obeys, and what a program runs by itself (when a folder is opened or entered, or something is committed):
 * an agent that writes it gives itself powers that nobody gave it, in the name of whoever comes next. What people edit in
 * their daily work and what runs only when it is called for (AGENTS.md, package.json, workflows) is not among them.
 */
const PROTECTED: readonly (readonly string[])[] = [
  ['.stint'],
  ['stint.config.yaml'],
  ['stint.config.yml'],
  ['stint.config.json'],
  // Agents: their settings, hooks, commands, extensions and servers.
  ['.agents'],
  ['.claude'],
  ['.codex'],
  ['.cursor'],
  ['.gemini'],
  ['.opencode'],
  ['.pi'],
  ['.mcp.json'],
  ['opencode.json'],
  ['opencode.jsonc'],
  // Editors: tasks that run when a folder is opened, and settings that name programs.
  ['.devcontainer'],
  ['.idea'],
  ['.vscode'],
  // Git and shells: hooks, and what is run on the way into a folder.
  ['.git'],
  ['.githooks'],
  ['.husky'],
  ['.pre-commit-config.yaml'],
  ['lefthook.yml'],
  ['lefthook.yaml'],
  ['.lefthook.yml'],
  ['.lefthook.yaml'],
  ['lefthook-local.yml'],
  ['lefthook-local.yaml'],
  // It names the program that every command of the package manager starts.
  ['.yarnrc.yml'],
  ['.envrc'],
]

/** The protected name that a path has in it, e.g. `.stint`; `null` if it has none. */
export function protectedNameIn(names: readonly string[]): string | null {
  const folded = names.map(foldName)
  for (const sequence of PROTECTED) {
    const isAt = (start: number): boolean => sequence.every((name, index) => folded[start + index] === name)
    if (folded.some((_, start) => isAt(start))) return sequence.join('/')
  }
  return null
}
