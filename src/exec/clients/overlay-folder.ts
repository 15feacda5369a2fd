import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/** A copy of a client's folder made of links, with one file replaced. */
export interface OverlayFolder {
  readonly folder: string
  /** Removes the folder. Never throws. */
  cleanUp(): void
}

export interface OverlaySettings {
  /** The client, for the name of the folder. */
  readonly client: string
  /** Stint's own folder. Never a temporary folder: agents can write there, even in their sandbox. */
  readonly stateFolder: string
  /** The user's own folder; created if missing. */
  readonly real: string
  /** Folders whose content must persist. */
  readonly keeps: readonly string[]
  readonly file: { readonly name: string; readonly text: string }
}

/**
 * The one file that a client replaces rather than writes to, and that must not be lost. Other new files (instructions,
 * hooks, settings) would be obeyed later, and may not come from the user, so they are not kept.
 */
const LOGIN = 'auth.json'

/**
 * For clients that read addresses from a file only: sessions, login, settings and extensions are links to the user's
 * own. New files are removed with the folder.
 */
export function createOverlayFolder({ client, stateFolder, real, keeps, file }: OverlaySettings): OverlayFolder {
  for (const name of ['', ...keeps]) mkdirSync(join(real, name), { recursive: true })
  const overlays = join(stateFolder, 'clients')
  mkdirSync(overlays, { recursive: true, mode: 0o700 })
  const folder = mkdtempSync(join(overlays, `${client}-`))
  for (const name of readdirSync(real)) if (name !== file.name) symlinkSync(join(real, name), join(folder, name))
  writeFileSync(join(folder, file.name), file.text, { mode: 0o600 })
  const takesLogin = kindOf(join(real, LOGIN)) !== 'other'
  return { folder, cleanUp: () => removeOverlay(folder, takesLogin ? real : null) }
}

function removeOverlay(folder: string, real: string | null): void {
  try {
    const login = join(folder, LOGIN)
    if (real !== null && kindOf(login) === 'file' && kindOf(join(real, LOGIN)) !== 'other') {
      copyFileSync(login, join(real, LOGIN))
    }
  } catch {
    // The user's old login is still there.
  }
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // A leftover folder is harmless: the key in it has ended with the run.
  }
}

/** A link is `other`: its target is not ours to write. */
function kindOf(path: string): 'none' | 'file' | 'other' {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return 'none'
  return found.isFile() ? 'file' : 'other'
}
