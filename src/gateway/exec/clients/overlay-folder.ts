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

/** A folder in which a client finds everything of its user's folder, but for one file of ours. */
export interface OverlayFolder {
  readonly folder: string
  /** Takes the folder away. Never throws. */
  cleanUp(): void
}

export interface OverlaySettings {
  /** The client, for the name of the folder. */
  readonly client: string
  /** Where Stint keeps its own. Never a folder for temporary files: agents may write there, also in their sandbox. */
  readonly stateFolder: string
  /** The user's own folder; made where it is missing. */
  readonly real: string
  /** Folders in which the client keeps what must stay. */
  readonly keeps: readonly string[]
  readonly file: { readonly name: string; readonly text: string }
}

/**
 * The one file that a client replaces instead of writing into it, and that must not be lost. Others are obeyed later
 * (instructions, hooks, settings), and new ones among them are not believed to be the user's.
 */
const LOGIN = 'auth.json'

/**
 * For clients that read where to send requests from a file only: sessions, login, settings and extensions are links to
 * the user's own. What is new beside them goes with the folder.
 */
export function createOverlayFolder({ client, stateFolder, real, keeps, file }: OverlaySettings): OverlayFolder {
  for (const name of ['', ...keeps]) mkdirSync(join(real, name), { recursive: true })
  const overlays = join(stateFolder, 'clients')
  mkdirSync(overlays, { recursive: true, mode: 0o700 })
  const folder = mkdtempSync(join(overlays, `${client}-`))
  for (const name of readdirSync(real)) if (name !== file.name) symlinkSync(join(real, name), join(folder, name))
  writeFileSync(join(folder, file.name), file.text, { mode: 0o600 })
  const takesLogin = kindOf(join(real, LOGIN)) !== 'other'
  return { folder, cleanUp: () => takeAway(folder, takesLogin ? real : null) }
}

function takeAway(folder: string, real: string | null): void {
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
    // A folder that is left does no harm: the key in it has ended with the run.
  }
}

/** A link is `other`: what it leads to is not ours to write. */
function kindOf(path: string): 'none' | 'file' | 'other' {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return 'none'
  return found.isFile() ? 'file' : 'other'
}
