/**
 * Where everything random in the tests starts. It is the same on every run, so that a test gives the same result for
 * everyone; `npm run explore` sets others.
 */
export const TEST_SEED = Number(process.env.STINT_TEST_SEED ?? 1)

/** With the usual seed a test may expect that rare things come up; with any other they may not. */
export const IS_USUAL_SEED = process.env.STINT_TEST_SEED === undefined
