// Preloaded with --import: writes the address of every module that the program asks for to the file $RECORD, when it ends.
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const asked = new Set<string>()
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    asked.add(resolved.url)
    return resolved
  },
})
process.on('exit', () => writeFileSync(process.env.RECORD!, [...asked].join('\n')))
