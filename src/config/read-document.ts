import { lstatSync, readFileSync, statSync } from 'node:fs'
import { codeOf, messageOf } from '../core/checks/thrown.ts'
import { type Document, parseYaml } from '../documents/index.ts'
import { InvalidConfigError } from './invalid-config-error.ts'

const LARGEST_BYTES = 1024 * 1024

/** Reads a YAML or JSON file, by its name. Throws `InvalidConfigError` with the line that is wrong. */
export function readDocument(file: string): Document {
  const text = textOf(file)
  if (!file.endsWith('.json')) return readYaml(file, text)
  assertJson(file, text)
  // JSON is YAML except for tabs, which in JSON only appear between values.
  return readYaml(file, text.replaceAll('\t', ' '))
}

/** Reads YAML as plain data. Throws `InvalidConfigError` with everything that is wrong. */
export function readYaml(file: string, text: string): Document {
  const reading = parseYaml(file, text)
  if (reading.kind === 'read') return reading.document
  throw new InvalidConfigError(
    reading.problems.map(({ line, field, message }) => {
      const where = line === null ? file : `${file}:${line}`
      return { place: field === '' ? where : `${field} in ${where}`, value: undefined, message }
    }),
  )
}

function textOf(file: string): string {
  const refuse = (message: string): never => {
    throw new InvalidConfigError([{ place: file, value: undefined, message }])
  }
  try {
    const { size } = statSync(file)
    if (!statSync(file).isFile()) return refuse('This is not a file. Put the config into a file of this name.')
    if (size > LARGEST_BYTES) return refuse(`The file has ${size} bytes; a config has at most ${LARGEST_BYTES}.`)
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (error) {
    if (error instanceof InvalidConfigError) throw error
    const code = codeOf(error)
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return refuse('The file is not text in UTF-8.')
    if (code === 'ENOENT') return refuse(isLink(file) ? 'The link is broken.' : 'There is no such file.')
    return refuse(`The file cannot be read (${code ?? String(error)}). Check its permissions.`)
  }
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

function assertJson(file: string, text: string): void {
  try {
    JSON.parse(text)
  } catch (error) {
    const message = messageOf(error)
    const offset = /at position (\d+)/.exec(message)?.[1]
    const line = offset === undefined ? null : text.slice(0, Number(offset)).split('\n').length
    throw new InvalidConfigError([
      {
        place: line === null ? file : `${file}:${line}`,
        value: undefined,
        message: `This is not valid JSON: ${message}.`,
      },
    ])
  }
}
