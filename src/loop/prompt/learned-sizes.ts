import { type AgingMap, createAgingMap } from '../../core/index.ts'
import { noteSize, type SizedPrompt, type SizeRatios } from '../../pricing/learned-tokens.ts'

/** What estimates of prompts were worth, by the model and the program that asked it. */
export type LearnedSizes = AgingMap<SizeRatios>

const MOST_KINDS = 1_000

/** In memory only. */
export function createLearnedSizes(): LearnedSizes {
  return createAgingMap(MOST_KINDS)
}

/** The kind of a prompt: a model, and the program that asks it. */
export function kindOf(model: string, program: string): string {
  return `${model}\n${program}`
}

/** What was learned of a kind of prompt: in this scope, and if that is nothing, anywhere. */
export function ratiosOf(kind: string, own: LearnedSizes, elsewhere?: LearnedSizes): SizeRatios {
  return own.get(kind) ?? elsewhere?.get(kind) ?? []
}

/** Notes what a provider has counted, in each of these. */
export function learnSize(kind: string, sized: SizedPrompt, sizes: readonly LearnedSizes[]): void {
  for (const known of sizes) {
    const ratios = noteSize(known.get(kind) ?? [], sized)
    if (ratios.length > 0) known.set(kind, ratios)
  }
}
