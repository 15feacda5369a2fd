import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { readAcceptance } from '../../agents/acceptance/read-acceptance.ts'
import type { AcceptanceInput } from '../../agents/index.ts'
import { messageOf } from '../../core/checks/thrown.ts'
import { InvalidOptionError } from '../../core/index.ts'
import { parseYaml } from '../../documents/index.ts'

const FLAG = '--acceptance'
const FORM = 'a contract as JSON, or a YAML or JSON file with one'
const MOST_BYTES = 256 * 1024

/** Reads `--acceptance`: JSON, or a file. `--no-acceptance` is `false`. Throws with the file, line and field. */
export function acceptanceFrom(
  workingFolder: string,
  written: string | false | undefined,
): AcceptanceInput | false | undefined {
  if (written === undefined || written === false) return written
  const isJson = written.trimStart().startsWith('{')
  const name = isJson ? FLAG : written.replace(/^@/, '')
  const reading = parseYaml(name, isJson ? written : textOf(workingFolder, name), 1)
  if (reading.kind === 'refused') {
    const [first] = reading.problems
    const line = isJson || first!.line === null ? '' : ` (line ${first!.line})`
    throw new InvalidOptionError(FLAG, written, `${FORM}${line}. ${first!.message}`)
  }
  const { value, lineOf } = reading.document
  const read = readAcceptance(value)
  // As written: the runner parses it again, as for every caller.
  if (read.kind === 'valid') return read.written
  const { field, value: wrong, form } = read.problems[0]!
  const line = lineOf(field)
  const place = isJson ? (field === '' ? '' : ` of ${FLAG}`) : ` in ${line === undefined ? name : `${name}:${line}`}`
  throw new InvalidOptionError(`${field === '' ? FLAG : field}${place}`, wrong, form)
}

function textOf(workingFolder: string, name: string): string {
  const file = resolve(workingFolder, name)
  try {
    if (statSync(file).size > MOST_BYTES) throw new Error('it is larger than 256 KiB')
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new InvalidOptionError(FLAG, name, `${FORM} (${messageOf(error)})`)
  }
}
