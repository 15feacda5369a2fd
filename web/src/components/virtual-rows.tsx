import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface VirtualRowsProps {
  readonly count: number
  /** Every row has this height. */
  readonly rowHeight: number
  readonly row: (index: number) => ComponentChildren
}

interface Span {
  readonly first: number
  readonly last: number
}

// Rows above and below what is seen, so that scrolling shows no gap.
const MARGIN = 8

/** The rows of a long list that are seen; the page itself scrolls. */
export function VirtualRows({ count, rowHeight, row }: VirtualRowsProps) {
  const element = useRef<HTMLDivElement>(null)
  const [{ first, last }, setSpan] = useState<Span>({ first: 0, last: MARGIN * 3 })
  useLayoutEffect(() => {
    const measure = (): void => {
      if (element.current === null) return
      const above = -element.current.getBoundingClientRect().top
      const from = Math.max(0, Math.floor(above / rowHeight) - MARGIN)
      const to = Math.ceil((above + innerHeight) / rowHeight) + MARGIN
      setSpan((span) => (span.first === from && span.last === to ? span : { first: from, last: to }))
    }
    measure()
    addEventListener('scroll', measure, { passive: true })
    addEventListener('resize', measure)
    // What stands above may grow.
    const sizes = new ResizeObserver(measure)
    sizes.observe(document.body)
    return () => {
      sizes.disconnect()
      removeEventListener('scroll', measure)
      removeEventListener('resize', measure)
    }
  }, [rowHeight])
  const end = Math.min(last, count)
  const start = Math.min(first, Math.max(0, end - 1))
  return (
    <div ref={element} role="presentation" style={{ height: `${count * rowHeight}px`, position: 'relative' }}>
      <div role="presentation" style={{ position: 'absolute', insetInline: '0', top: `${start * rowHeight}px` }}>
        {Array.from({ length: Math.max(0, end - start) }, (_, index) => row(start + index))}
      </div>
    </div>
  )
}
