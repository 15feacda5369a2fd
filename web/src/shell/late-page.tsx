import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { EmptyState } from '../components/empty-state.tsx'

/** A page whose code is loaded when it is first opened. */
export function latePage<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null
  return function LatePage(props: Props) {
    const [Page, setPage] = useState<ComponentType<Props> | null>(() => loaded)
    const [isMissing, setIsMissing] = useState(false)
    useEffect(() => {
      if (loaded !== null) return
      load().then(
        (page) => {
          loaded = page
          setPage(() => page)
        },
        () => setIsMissing(true),
      )
    }, [])
    if (isMissing)
      return (
        <EmptyState title="This page could not be loaded">
          Load the page again: the server may have been updated.
        </EmptyState>
      )
    return Page === null ? null : <Page {...props} />
  }
}
