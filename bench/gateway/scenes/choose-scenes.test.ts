import { expect, it } from 'vitest'
import { chooseScenes } from './choose-scenes.ts'

const namesOf = (...args: string[]) => chooseScenes(args).map(({ name }) => name)
const ALL = [
  'short-bodies',
  'long-bodies',
  'large-neighbour',
  'streams',
  'first-byte',
  'conversation',
  'small-messages',
  'memory',
]

it('plays every scene where none is named, and otherwise those that are', () => {
  expect(namesOf()).toEqual(ALL)
  expect(namesOf('--scene', 'streams')).toEqual(['streams'])
  expect(namesOf('--scene', 'memory', '--scene=conversation')).toEqual(['memory', 'conversation'])
})

it('refuses a scene that it does not have, and lists those that it has', () => {
  expect(() => namesOf('--scene', 'stream')).toThrow(`--scene: unknown scene "stream". Choose from: ${ALL.join(', ')}.`)
})

it.each([[['streams']], [['--scen', 'streams']], [['--scene']]])(
  'says how scenes are named where it reads %j',
  (args) => {
    expect(() => namesOf(...args)).toThrow(`Write --scene NAME, once or more, with one of: ${ALL.join(', ')}.`)
  },
)
