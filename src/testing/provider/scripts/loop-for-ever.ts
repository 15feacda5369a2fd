import { assertKnownOptions } from '../assert-known-options.ts'
import type { ProviderRequest } from '../provider-request.ts'
import type { ProviderScript, ProviderTurn } from '../provider-turn.ts'

export interface LoopOptions {
  /** Default: the first tool that the request offers. */
  readonly toolName?: string
  /** `same`: the same arguments each time; `everNew`: always different; or a function of the call's number, from 1. */
  readonly arguments?: 'same' | 'everNew' | { readonly [field: string]: unknown } | ((count: number) => unknown)
  /** Calls in one answer. Default: 1. */
  readonly parallel?: number
  /** Text before the calls. Default: none. */
  readonly text?: string
  /** The answer when tools are not allowed. Default: `This is how far I came.` */
  readonly closing?: string
  /** The tokens of an answer with calls, padded with text: with a smaller cap it is cut, and calls nothing. */
  readonly outputTokens?: number
  /** The tokens of thinking, if requested. Default: the model's default. */
  readonly thinkingTokens?: number
  /** The tokens of the closing answer, if the request offers tools and forbids them. Default: those of its text. */
  readonly closingTokens?: number
  /** The tokens of thinking before the closing answer. Default: as for the others. */
  readonly closingThinkingTokens?: number
}

const OPTIONS = {
  toolName: true,
  arguments: true,
  parallel: true,
  text: true,
  closing: true,
  outputTokens: true,
  thinkingTokens: true,
  closingTokens: true,
  closingThinkingTokens: true,
} as const

/** Calls tools as long as it is allowed to, and never ends by itself. */
export function loopForEver(options: LoopOptions = {}): ProviderScript {
  assertKnownOptions('loopForEver', options, OPTIONS)
  const { parallel = 1, closing = 'This is how far I came.' } = options
  let count = 0
  return (request: ProviderRequest) => {
    const name = options.toolName ?? request.tools[0]?.name
    if (!request.mayCallTools || name === undefined) return { text: closing, ...closingNeed(request, options) }
    const toolCalls = Array.from({ length: parallel }, () => ({ name, arguments: argumentsOf(options, ++count) }))
    const need = needOf(options.outputTokens, options.thinkingTokens)
    return { ...(options.text === undefined ? {} : { text: options.text }), toolCalls, ...need }
  }
}

/** The tokens of a closing answer. A title or a summary on the side is short. */
export function closingNeed({ tools }: Pick<ProviderRequest, 'tools'>, options: LoopOptions) {
  const { closingTokens, thinkingTokens, closingThinkingTokens = thinkingTokens } = options
  return tools.length === 0 ? {} : needOf(closingTokens, closingThinkingTokens)
}

function needOf(outputTokens?: number, thinkingTokens?: number): Pick<ProviderTurn, 'outputTokens' | 'thinkingTokens'> {
  return {
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(thinkingTokens === undefined ? {} : { thinkingTokens }),
  }
}

function argumentsOf({ arguments: given = 'everNew' }: LoopOptions, count: number): unknown {
  if (typeof given === 'function') return given(count)
  if (given === 'same') return { step: 0 }
  return given === 'everNew' ? { step: count } : given
}
