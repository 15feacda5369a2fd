import { StringDecoder } from 'node:string_decoder'
import { InvalidOptionError } from '../core/index.ts'

const MOST_BYTES = 10 * 1024 * 1024

/** Reads all of standard input. Refuses more than a model could read. */
export async function readStandardInput(): Promise<string> {
  const decoder = new StringDecoder('utf8')
  let text = ''
  let bytes = 0
  for await (const chunk of process.stdin) {
    const part = chunk as Buffer
    bytes += part.length
    if (bytes > MOST_BYTES) throw new InvalidOptionError('Standard input', `${bytes} bytes`, 'at most 10 MiB of text')
    text += decoder.write(part)
  }
  return text + decoder.end()
}
