/** A price in the form that users write, and where it was published. */
export interface SupplementPrice {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  /** Required for every model: if it were left out, 1.25 times the input would be assumed. */
  readonly cacheWrite: number
  readonly cacheWrite1h?: number
  readonly tiers?: readonly { readonly above: number; readonly [figure: string]: number }[]
  readonly cacheWrites?: 'marked' | 'automatic'
  readonly webSearch?: number
  readonly contextWindow?: number
  readonly maxOutputTokens?: number
  readonly from?: string
  readonly provider: string
  /** The day on which the figures were looked up. */
  readonly asOf: string
  /** Where the figures were published, or why they were chosen. */
  readonly note: string
}

const LOOKED_UP = '2026-11-15'
const ANTHROPIC_PRICES = 'Published at platform.claude.com/docs/en/about-claude/pricing.'
const OPENAI_PRICES = 'Published by OpenAI, as docs.litellm.ai and others quote it.'
const GOOGLE_PRICES = 'Published at ai.google.dev/gemini-api/docs, cached input as release notes quote it.'
const PI_LIST = 'From the model list of pi 1.5.0.'

const CLAUDE = {
  provider: 'anthropic',
  cacheWrites: 'marked',
  webSearch: 0.01,
  contextWindow: 1_000_000,
  maxOutputTokens: 128_000,
} as const
const OPENAI = { provider: 'openai', webSearch: 0.01, contextWindow: 1_050_000, maxOutputTokens: 128_000 } as const
const GOOGLE = { provider: 'google', contextWindow: 1_048_576, maxOutputTokens: 65_536 } as const

const SONNET_5_5 = {
  ...CLAUDE,
  input: 2,
  output: 10,
  cacheWrite: 2.5,
  cacheWrite1h: 4,
  asOf: LOOKED_UP,
  note: ANTHROPIC_PRICES,
}
const MYTHOS = {
  ...CLAUDE,
  input: 10,
  output: 50,
  cacheWrite: 12.5,
  cacheWrite1h: 20,
  asOf: LOOKED_UP,
  note: ANTHROPIC_PRICES,
}
// It can write up to the whole context window.
const ARGON = { ...GOOGLE, maxOutputTokens: 1_048_576, webSearch: 0.014, asOf: LOOKED_UP, note: GOOGLE_PRICES }
const GPT_5_5 = {
  ...OPENAI,
  input: 5,
  output: 30,
  cacheRead: 0.5,
  cacheWrite: 5,
  tiers: [{ above: 271_999, input: 10, output: 45, cacheRead: 1, cacheWrite: 10 }],
  asOf: LOOKED_UP,
  note: 'No published price: that of gpt-5.5, the most expensive of its generation without "pro".',
}

const CYBER = {
  ...OPENAI,
  input: 12.5,
  output: 75,
  cacheRead: 1.25,
  cacheWrite: 15.625,
  contextWindow: 400_000,
  asOf: LOOKED_UP,
  note: PI_LIST,
}

/**
 * Models that known clients use and that the price package lacks, or prices like an earlier model. An entry is used
 * only if the package has none, so it becomes unused once the package knows the model.
 */
export const SUPPLEMENT: Readonly<Record<string, SupplementPrice | readonly SupplementPrice[]>> = {
  'claude-haiku-5-5': {
    ...CLAUDE,
    input: 0.1,
    output: 0.5,
    cacheRead: 0.01,
    cacheWrite: 0.125,
    cacheWrite1h: 0.2,
    tiers: [{ above: 100_000, input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625, cacheWrite1h: 1 }],
    asOf: LOOKED_UP,
    note: ANTHROPIC_PRICES,
  },
  'claude-sonnet-5-5': [
    { ...SONNET_5_5, cacheRead: 0.2 },
    { ...SONNET_5_5, cacheRead: 0.1, from: '2026-10-09' },
  ],
  'claude-mythos-5': { ...MYTHOS, cacheRead: 1 },
  'claude-mythos-5-1': { ...MYTHOS, cacheRead: 0.25 },
  'gpt-6-1-sol': {
    ...OPENAI,
    input: 2,
    output: 10,
    cacheRead: 0.1,
    cacheWrite: 2.5,
    cacheWrite1h: 5,
    tiers: [{ above: 272_000, input: 4, output: 15, cacheRead: 0.2, cacheWrite: 5, cacheWrite1h: 10 }],
    asOf: LOOKED_UP,
    note: OPENAI_PRICES,
  },
  'gpt-6-1-terra': {
    ...OPENAI,
    input: 1,
    output: 5,
    cacheRead: 0.05,
    cacheWrite: 1.25,
    cacheWrite1h: 2.5,
    tiers: [{ above: 272_000, input: 2, output: 7.5, cacheRead: 0.1, cacheWrite: 2.5, cacheWrite1h: 5 }],
    asOf: LOOKED_UP,
    note: OPENAI_PRICES,
  },
  'gpt-5-3-codex-spark': GPT_5_5,
  'codex-auto-review': GPT_5_5,
  'chat-latest': { ...GPT_5_5, note: `${PI_LIST} An alias that moves; it had the price of gpt-5.5.` },
  'gpt-5-6-cyber': CYBER,
  'gpt-daybreak-red-latest': { ...CYBER, note: `${PI_LIST} An alias that moves; it had the price of gpt-5.6-cyber.` },
  'gpt-daybreak-blue-latest': {
    ...OPENAI,
    input: 4,
    output: 20,
    cacheRead: 0.4,
    cacheWrite: 5,
    tiers: [{ above: 271_999, input: 8, output: 30, cacheRead: 0.8, cacheWrite: 10 }],
    asOf: LOOKED_UP,
    note: `${PI_LIST} An alias that moves; it had the price of gpt-5.6-sol.`,
  },
  'grok-4-7': {
    provider: 'x-ai',
    input: 2,
    output: 6,
    cacheRead: 0.5,
    cacheWrite: 2,
    tiers: [{ above: 199_999, input: 4, output: 12, cacheRead: 1, cacheWrite: 4 }],
    contextWindow: 500_000,
    asOf: LOOKED_UP,
    note: PI_LIST,
  },
  'gemini-3-flash': {
    ...GOOGLE,
    input: 0.5,
    output: 3,
    cacheRead: 0.05,
    cacheWrite: 0.5,
    asOf: LOOKED_UP,
    note: PI_LIST,
  },
  'gemini-3-1-pro': {
    ...GOOGLE,
    input: 2,
    output: 12,
    cacheRead: 0.2,
    cacheWrite: 2,
    tiers: [{ above: 200_000, input: 4, output: 18, cacheRead: 0.4, cacheWrite: 4 }],
    asOf: LOOKED_UP,
    note: PI_LIST,
  },
  'gemini-4-argon': [
    { ...ARGON, input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2 },
    { ...ARGON, input: 4, output: 20, cacheRead: 0.2, cacheWrite: 4, from: '2026-12-01' },
  ],
  'gemini-2-5-computer-use-preview-10-2025': {
    ...GOOGLE,
    input: 1.25,
    output: 10,
    cacheWrite: 1.25,
    tiers: [{ above: 200_000, input: 2.5, output: 15, cacheWrite: 2.5 }],
    contextWindow: 128_000,
    asOf: LOOKED_UP,
    note: PI_LIST,
  },
  'gemini-pro-latest': {
    ...GOOGLE,
    maxOutputTokens: 1_048_576,
    input: 4,
    output: 20,
    cacheRead: 0.4,
    cacheWrite: 4,
    asOf: LOOKED_UP,
    note: 'An alias that moves: the most expensive of the pro models it may refer to.',
  },
  'gemini-flash-latest': {
    ...GOOGLE,
    input: 1.5,
    output: 9,
    cacheRead: 0.15,
    cacheWrite: 1.5,
    asOf: LOOKED_UP,
    note: 'An alias that moves: the most expensive of the flash models it may refer to.',
  },
  'gemini-flash-lite-latest': {
    ...GOOGLE,
    input: 0.3,
    output: 2.5,
    cacheRead: 0.03,
    cacheWrite: 0.3,
    asOf: LOOKED_UP,
    note: 'An alias that moves: the most expensive of the flash-lite models it may refer to.',
  },
}
