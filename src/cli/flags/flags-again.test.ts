import { Command } from 'commander'
import { expect, it } from 'vitest'
import { gather } from '../syntax/help-text.ts'
import { flagsAgain } from './flags-again.ts'

function read(...args: readonly string[]): readonly string[] {
  let again: readonly string[] = []
  const program = new Command('stint').option('--store <ADDRESS>').option('--no-color').option('--json')
  program
    .command('run')
    .argument('<AGENT>')
    .option('--limit <LIMIT>', '', gather)
    .option('--no-wrap-up')
    .option('--timeout <DURATION>')
    .option('--grace <DURATION>', '', '10s')
    .option('--background')
    .action((_agent, _flags, command) => {
      again = flagsAgain(command, ['--background', '--json'])
    })
  program.parse(args, { from: 'user' })
  return again
}

it('repeats the given flags, one argument each, without defaults and without the store, whose address may have a password', () => {
  expect(read('run', '--limit', 'turns=5', 'explore', '--limit=cost=1', '--timeout', '-5s', '--background')).toEqual([
    '--limit=turns=5',
    '--limit=cost=1',
    '--timeout=-5s',
  ])
  expect(read('--store', 'sqlite:a b.db', 'run', 'explore', '--no-wrap-up', '--no-color', '--json')).toEqual([
    '--no-wrap-up',
    '--no-color',
  ])
  expect(read('run', 'explore')).toEqual([])
})
