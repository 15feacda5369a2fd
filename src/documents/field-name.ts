const PLAIN_KEY = /^[A-Za-z_$][\w$-]{0,63}$/

/** The name of a field below another, as messages and sources of limits write it: `budgets."team:core".limits[0]`. */
export function fieldName(parent: string, step: string | number): string {
  if (typeof step === 'number') return `${parent}[${step}]`
  const key = PLAIN_KEY.test(step) ? step : JSON.stringify(step.slice(0, 64))
  return parent === '' ? key : `${parent}.${key}`
}
