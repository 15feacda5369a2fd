/** Where whoever polls a paused task has it go on. */
export function resumeUrl(id: string): string {
  return `/tasks/${encodeURIComponent(id)}/resume`
}
