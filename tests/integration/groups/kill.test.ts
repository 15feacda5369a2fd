import { describeGroupKills } from './describe-kills.ts'

describeGroupKills('parallel', ['call-1', 'call-23', 'ended-7', 'ended-20'])
describeGroupKills('chain', ['call-2', 'told-9', 'ended-1', 'ended-8'])
