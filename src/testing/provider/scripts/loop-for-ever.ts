import { assertKnownOptions } from '../assert-known-options.ts'
import type { ProviderRequest } from '../provider-request.ts'
import type { ProviderScript } from '../provider-turn.ts'

export interface LoopOptions {
  /** Default: the first tool that the request offers. */
  readonly toolName?: string
  /** `same`: the same arguments each time; `everNew`: never twice the same; or what each call, counted from 1, is given. */
  readonly arguments?: 'same' | 'everNew' | { readonly [field: string]: unknown } | ((count: number) => unknown)
  /** Calls in one answer. Default: 1. */
  readonly parallel?: number
  /** Said beside the calls. Default: nothing. */
  readonly text?: string
  /** Said where it may call no tool. Default: `This is how far I came.` */
  readonly closing?: string
}

const OPTIONS = { toolName: true, arguments: true, parallel: true, text: true, closing: true } as const

/** Calls tools as long as it may, and never ends by itself. */
export function loopForEver(options: LoopOptions = {}): ProviderScript {
  assertKnownOptions('loopForEver', options, OPTIONS)
  const { parallel = 1, closing = 'This is how far I came.' } = options
  let count = 0
  return (request: ProviderRequest) => {
    const name = options.toolName ?? request.tools[0]?.name
    if (!request.mayCallTools || name === undefined) return { text: closing }
    const toolCalls = Array.from({ length: parallel }, () => ({ name, arguments: argumentsOf(options, ++count) }))
    return { ...(options.text === undefined ? {} : { text: options.text }), toolCalls }
  }
}

function argumentsOf({ arguments: given = 'everNew' }: LoopOptions, count: number): unknown {
  if (typeof given === 'function') return given(count)
  if (given === 'same') return { step: 0 }
  return given === 'everNew' ? { step: count } : given
}
