/** Where git worktrees of agents are: next to the home, which is hidden from agents. */
export function worktreeFolder(homeFolder: string): string {
  return `${homeFolder}-worktrees`
}
