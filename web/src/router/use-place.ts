import { useEffect, useState } from 'preact/hooks'
import { type Filters, hrefOf, type Place, parsePlace } from './route.ts'

/** The place that the address names, followed. */
export function usePlace(): Place {
  const [hash, setHash] = useState(() => location.hash)
  useEffect(() => {
    const follow = (): void => setHash(location.hash)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return parsePlace(hash)
}

/** Changes filters in the address. Typing does not fill the history. */
export function setFilters({ route, filters }: Place, changed: Filters): void {
  history.replaceState(null, '', hrefOf(route, { ...filters, ...changed }))
  dispatchEvent(new HashChangeEvent('hashchange'))
}
