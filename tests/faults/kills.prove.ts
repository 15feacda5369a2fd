import { describeKills } from './describe-kills.ts'

describeKills(200)
