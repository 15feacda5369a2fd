import { plainText } from '../format/plain-text.ts'

/** A name or message that someone else wrote: on one line, and with its own direction of writing. */
export function Plain({ text }: { readonly text: string }) {
  return <bdi>{plainText(text)}</bdi>
}
