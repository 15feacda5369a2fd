// A call in every way that users take, beside its peers: npm run bench:core. Ratios of CPU in one run are judged.
import { compareWithPeers } from './core/compare-with-peers.ts'
import { growWithDepth, ignoreWidth, weighScopes } from './core/growth.ts'
import { conclude } from './judge.ts'

const verdicts = await compareWithPeers()
await growWithDepth()
await ignoreWidth()
await weighScopes()
conclude(verdicts)
