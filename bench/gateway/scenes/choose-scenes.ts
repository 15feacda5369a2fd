import { parseArgs } from 'node:util'
import { CONVERSATION } from './conversation.ts'
import { FIRST_BYTE } from './first-byte.ts'
import { LARGE_NEIGHBOUR } from './large-neighbour.ts'
import { LONG_BODIES } from './long-bodies.ts'
import { MEMORY } from './memory.ts'
import type { Scene } from './scene.ts'
import { SHORT_BODIES } from './short-bodies.ts'
import { SMALL_MESSAGES } from './small-messages.ts'
import { STREAMS } from './streams.ts'

const SCENES: readonly Scene[] = [
  SHORT_BODIES,
  LONG_BODIES,
  LARGE_NEIGHBOUR,
  STREAMS,
  FIRST_BYTE,
  CONVERSATION,
  SMALL_MESSAGES,
  MEMORY,
]
const LISTED = SCENES.map(({ name }) => name).join(', ')

/** The scenes that the arguments name with `--scene`; all of them where none is named. Throws for an unknown one. */
export function chooseScenes(args: readonly string[]): readonly Scene[] {
  const names = namesIn(args)
  if (names === undefined) return SCENES
  return names.map((name) => {
    const scene = SCENES.find((each) => each.name === name)
    if (scene !== undefined) return scene
    throw new Error(`--scene: unknown scene "${name}". Choose from: ${LISTED}.`)
  })
}

function namesIn(args: readonly string[]): readonly string[] | undefined {
  try {
    return parseArgs({ args: [...args], options: { scene: { type: 'string', multiple: true } } }).values.scene
  } catch (error) {
    throw new Error(`${(error as Error).message}. Write --scene NAME, once or more, with one of: ${LISTED}.`)
  }
}
