import { foldName } from './fold-name.ts'

/**
 * Sequences of names, anywhere below the working folder, since a run may start in a subfolder. These files are obeyed by
 * other agents, or run automatically (when a folder is opened or entered, or on a commit): an agent that writes them
 * would give itself powers of the next user. Files that people edit daily and that only run on demand (AGENTS.md,
 * package.json, workflows) are not included.
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
  // Git and shells: hooks, and scripts that run when a folder is entered.
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
  // Names the program that every command of the package manager starts.
  ['.yarnrc.yml'],
  ['.envrc'],
]

/** The protected name in a path, e.g. `.stint`; `null` if there is none. */
export function protectedNameIn(names: readonly string[]): string | null {
  const folded = names.map(foldName)
  for (const sequence of PROTECTED) {
    const isAt = (start: number): boolean => sequence.every((name, index) => folded[start + index] === name)
    if (folded.some((_, start) => isAt(start))) return sequence.join('/')
  }
  return null
}
