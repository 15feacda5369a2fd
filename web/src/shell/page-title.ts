import { useEffect } from 'preact/hooks'
import { createStore } from '../data/create-store.ts'
import { plainText } from '../format/plain-text.ts'

/** What the tab is called besides the name of its page; `null` if the page has no other name. */
export const pageTitle = createStore<string | null>(null)

/** Names the tab while a page is shown. */
export function usePageTitle(name: string | null): void {
  useEffect(() => {
    pageTitle.write(name === null ? null : plainText(name))
    return () => pageTitle.write(null)
  }, [name])
}
