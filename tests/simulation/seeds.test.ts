import { describeSeeds } from './describe-seeds.ts'

describeSeeds({ memory: 1_000, sqlite: 60, postgres: 10 })
