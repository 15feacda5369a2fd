import { describeSupervisorKills } from './describe-kills.ts'

describeSupervisorKills([
  { shape: 'calls', moment: 1 },
  { shape: 'calls', moment: 30 },
  { shape: 'group', moment: 12 },
  { shape: 'background', moment: 20 },
  { shape: 'sequential', moments: [1, 4, 7, 9, 12] },
])
