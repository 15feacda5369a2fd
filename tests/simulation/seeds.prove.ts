import { describeSeeds } from './describe-seeds.ts'

describeSeeds({ memory: 5_000, sqlite: 300, postgres: 100 })
