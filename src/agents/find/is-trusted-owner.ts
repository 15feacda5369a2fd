/**
 * Whether agents in a folder above the working folder may be read: if it belongs to the current user, to the owner of
 * the working folder, or to the system. Every user can write to /tmp, which must not decide how our agents behave.
 */
export function isTrustedOwner(folder: number, working: number, self: number | undefined): boolean {
  // Windows has no user ids.
  return self === undefined || [self, working, 0].includes(folder)
}
