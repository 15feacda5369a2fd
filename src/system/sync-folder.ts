import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Makes the names in a folder survive a power cut, as synced files do. Best effort. */
export function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // Some systems refuse it; the file itself is on disk.
  }
}
