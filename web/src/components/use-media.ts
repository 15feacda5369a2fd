import { useEffect, useState } from 'preact/hooks'

/** Whether a media query matches, followed. */
export function useMedia(query: string): boolean {
  const [isMatching, setIsMatching] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const follow = (): void => setIsMatching(list.matches)
    follow()
    list.addEventListener('change', follow)
    return () => list.removeEventListener('change', follow)
  }, [query])
  return isMatching
}
