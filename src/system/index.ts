export { createTimeOrderedId } from './create-time-ordered-id.ts'
export { describeHolder } from './describe-holder.ts'
export { isHolderAlive } from './is-holder-alive.ts'
export { createSystemClock } from './system-clock.ts'
