import { useLayoutEffect, useState } from 'preact/hooks'
import type { Store } from './create-store.ts'

/** The value of a store. The component renders again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(() => store.read())
  useLayoutEffect(() => {
    const follow = (): void => setValue(() => store.read())
    // It may have changed between the first rendering and now.
    follow()
    return store.subscribe(follow)
  }, [store])
  return value
}
