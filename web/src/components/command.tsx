import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { plainText } from '../format/plain-text.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import './empty-state.css'

// A flag is not broken at its hyphens.
const wordsOf = (text: string): readonly string[] => plainText(text).split(' ')

const SHOWN_MS = 1500

/** A command to try next, with a button that copies it. */
export function Command({ text }: { readonly text: string }) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = (): void => {
    // Without a secure address there is no clipboard: the text can still be selected.
    navigator.clipboard?.writeText(text).then(
      () => {
        setIsCopied(true)
        setTimeout(() => setIsCopied(false), SHOWN_MS)
      },
      () => {},
    )
  }
  return (
    <div class="command">
      <code tabIndex={0}>
        {wordsOf(text).map((word, index) => (
          <Fragment key={index}>
            {index > 0 && ' '}
            <span>{word}</span>
          </Fragment>
        ))}
      </code>
      <Button look="quiet icon" label={isCopied ? 'Copied' : 'Copy the command'} onClick={copy}>
        <Icon name={isCopied ? 'check' : 'copy'} />
      </Button>
    </div>
  )
}
