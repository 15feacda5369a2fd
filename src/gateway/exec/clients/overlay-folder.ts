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
import { tmpdir } from 'node:os'
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
  /** The user's own folder; made where it is missing. */
  readonly real: string
  /** Folders in which the client keeps what must stay. */
  readonly keeps: readonly string[]
  readonly file: { readonly name: string; readonly text: string }
}

/**
 * For clients that read where to send requests from a file only: sessions, login, settings and extensions are links to
 * the user's own.
 */
export function createOverlayFolder({ client, real, keeps, file }: OverlaySettings): OverlayFolder {
  for (const name of ['', ...keeps]) mkdirSync(join(real, name), { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), `stint-${client}-`))
  for (const name of readdirSync(real)) if (name !== file.name) symlinkSync(join(real, name), join(folder, name))
  writeFileSync(join(folder, file.name), file.text, { mode: 0o600 })
  return { folder, cleanUp: () => giveBack(folder, real, file.name) }
}

/** What the client wrote anew instead of into the user's file (a login that was refreshed) is put where it belongs. */
function giveBack(folder: string, real: string, ours: string): void {
  try {
    for (const name of readdirSync(folder)) {
      if (name !== ours && lstatSync(join(folder, name)).isFile()) copyFileSync(join(folder, name), join(real, name))
    }
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // A folder that is left in the place for temporary files does no harm: the key in it has ended with the run.
  }
}
