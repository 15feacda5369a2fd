/**
 * How many keys of an object are looked at. There are fewer names than that, so an object with more keys has a wrong
 * one among the first and is refused, without a look at a million others.
 */
export const MOST_KEYS = 100
