import { plainText } from '../format/plain-text.ts'

/** A message of the server, in which `backticks` mark what to type. */
export function Words({ text }: { readonly text: string }) {
  return (
    <bdi>
      {plainText(text)
        .split('`')
        .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
    </bdi>
  )
}
