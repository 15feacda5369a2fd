import { type Document, parseYaml } from '../../documents/index.ts'
import { InvalidConfigError } from './invalid-config-error.ts'

/** Reads YAML as data and nothing more. Throws `InvalidConfigError` with everything that is wrong. */
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
