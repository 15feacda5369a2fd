#!/usr/bin/env node
import packageFile from '../../package.json' with { type: 'json' }

// By default it opens a debugger on loopback, through which a command under limits could read every key and lift
// every limit.
if (process.platform !== 'win32') process.on('SIGUSR1', () => {})

const args = process.argv.slice(2)
if (args.length === 1 && args[0] === '--version') {
  // Scripts ask for the version at every start, and it needs nothing else.
  process.stdout.on('error', () => {})
  process.stdout.write(`${packageFile.version}\n`)
} else {
  const { enableCompileCache } = await import('./compile-cache.ts')
  enableCompileCache(args)
  // What is loaded before this is compiled each time.
  const { start } = await import('./start.ts')
  await start(args)
}
