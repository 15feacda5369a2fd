interface NamedLimit {
  readonly per: string | null
  readonly source: { readonly written: string }
}

/** The name of a limit as it was written: `turns`, `cost/day`. */
export function limitName({ source, per }: NamedLimit): string {
  return per === null ? source.written : `${source.written}/${per}`
}
