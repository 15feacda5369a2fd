import { describeCrashes } from './describe-crashes.ts'

// By hand, before a change of the store lands: STINT_CRASHES=200 npm run prove -- crashes
describeCrashes(Number(process.env.STINT_CRASHES ?? 10))
