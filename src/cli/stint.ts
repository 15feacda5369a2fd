#!/usr/bin/env node
import { main } from './main.ts'
import { createProcessPlatform } from './process-platform.ts'

// Whoever reads may stop reading (`stint status | head -1`): that is no failure, and there is nobody to tell.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit())

// By itself it would open a debugger on loopback, through which a command under limits could read every key and lift
// every limit.
if (process.platform !== 'win32') process.on('SIGUSR1', () => {})

// Of the AI SDK, which would write its warnings about a provider into the answer of an agent.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

// What is written to a pipe may not have left yet: the process ends by itself when it has.
process.exitCode = await main(process.argv.slice(2), createProcessPlatform())
