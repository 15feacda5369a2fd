import { hostname, userInfo } from 'node:os'
import { commandText } from './command-text.ts'

/** What runs here: the command line of this process, who started it, and where. Never throws. */
export function aboutProcess() {
  const [, script = '', ...args] = process.argv
  return { command: commandText('node', [...process.execArgv, script, ...args]), by: nameOfUser(), ...placeOf() }
}

/** The name of the user of this process. */
export function nameOfUser(): string {
  try {
    return userInfo().username
  } catch {
    // In a container the user may have no name.
    return process.getuid === undefined ? 'unknown' : `uid ${process.getuid()}`
  }
}

function placeOf(): { readonly folder?: string; readonly host: string } {
  try {
    return { folder: process.cwd(), host: hostname() }
  } catch {
    // The folder was deleted.
    return { host: hostname() }
  }
}
