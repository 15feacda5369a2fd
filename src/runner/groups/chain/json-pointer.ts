import { isPlainObject } from '../../../core/index.ts'

/** The target of a JSON Pointer, or the part of it that leads nowhere. */
export type PointerReading =
  | { readonly kind: 'found'; readonly value: unknown }
  | { readonly kind: 'missing'; readonly at: string }

/** Follows a JSON Pointer (RFC 6901). `''` is the value itself. */
export function followPointer(value: unknown, pointer: string): PointerReading {
  const steps = pointer === '' ? [] : pointer.slice(1).split('/')
  let current = value
  for (const [index, step] of steps.entries()) {
    const next = valueAt(current, step.replaceAll('~1', '/').replaceAll('~0', '~'))
    if (next === undefined) return { kind: 'missing', at: `/${steps.slice(0, index + 1).join('/')}` }
    current = next
  }
  return { kind: 'found', value: current }
}

function valueAt(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d{0,9})$/.test(step) ? value[Number(step)] : undefined
  return isPlainObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
}
