/**
 * Whether agents in a folder above the working folder may be read: those of whoever runs this, of whoever the working
 * folder belongs to, or of the system. Anybody may write to /tmp, and must not say there how our agents behave.
 */
export function isTrustedOwner(folder: number, working: number, self: number | undefined): boolean {
  // Without users there is nobody else.
  return self === undefined || [self, working, 0].includes(folder)
}
