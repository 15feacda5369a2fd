/** A step that cannot begin: the chain ends there, and keeps what it has. */
export class StepError extends Error {}
