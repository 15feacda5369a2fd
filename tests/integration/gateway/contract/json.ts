/** JSON as a script treats it. */
export interface Json {
  // biome-ignore lint/suspicious/noExplicitAny: what a script does with JSON.
  readonly [field: string]: any
}

export const SCHEMA = { type: 'object', properties: { path: { type: 'string' } } }

/** A file as the wire has it. */
export function base64(data: Uint8Array): string {
  return Buffer.from(data).toString('base64')
}

/** Arguments as a model wrote them; nothing where it was cut in the middle. */
export function readArguments(written: string): unknown {
  return written === '' ? {} : JSON.parse(written)
}
