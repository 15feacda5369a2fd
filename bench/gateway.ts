// The gateway beside a proxy that only passes bytes on, and beside Portkey: npm run bench:gateway -- [--scene NAME]…
// Ratios of one run are judged.
import { chooseScenes } from './gateway/scenes/choose-scenes.ts'
import type { Scene } from './gateway/scenes/scene.ts'
import { conclude } from './judge.ts'

const HOW = `Each program is a process of its own and starts fresh with each scene; CPU is that of its whole process.
Figures are medians of alternating rounds. "CPU µs" is that of one request. Stint keeps accounts of each request in SQLite and
tells agents with tools their budget; its limits are never reached, so nothing is refused, cut or clamped. The raw proxy
and Portkey keep no accounts. Portkey gets a tenth of the requests, those before the first round included.`

function scenesOrExit(): readonly Scene[] {
  try {
    return chooseScenes(process.argv.slice(2))
  } catch (error) {
    console.error((error as Error).message)
    process.exit(2)
  }
}

const scenes = scenesOrExit()
console.log(HOW)
const verdicts: boolean[] = []
for (const scene of scenes) verdicts.push(...(await scene.play()))
conclude(verdicts)
