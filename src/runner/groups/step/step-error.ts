/** A step that cannot begin: the chain ends there, and keeps its results. */
export class StepError extends Error {}
