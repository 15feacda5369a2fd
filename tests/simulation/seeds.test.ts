import { describeSeeds } from './describe-seeds.ts'

describeSeeds({ memory: 500, sqlite: 30, postgres: 10 })
