import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { globSync } from 'tinyglobby'
import ts from 'typescript'
import { SOURCE } from '../source-folder.ts'
import type { Mutant } from './mutant.ts'
import { type Span, sameTokens } from './same-tokens.ts'

/** Where a bug is planted. */
export interface Place extends Span {
  readonly file: string
}

const files = new Map<string, string>()

/** Finds the one place of a bug. Throws, and says what it found instead, if there is none or more than one. */
export function findPlace({ name, in: functionName, find }: Omit<Mutant, 'replace'>): Place {
  const functions = functionsNamed(functionName)
  if (functions.length === 0) throw new Error(`"${name}": no function in src is called ${functionName}.`)
  const places = functions.flatMap(({ file, from, to }) =>
    sameTokens(productFiles().get(file)!.slice(from, to), find).map((span): Place => {
      return { file, from: from + span.from, to: from + span.to }
    }),
  )
  const [place, ...others] = distinct(places)
  if (place !== undefined && others.length === 0) return place
  const where = [...new Set(functions.map(({ file }) => relative(SOURCE, file)))].join(', ')
  throw new Error(`"${name}": its place is in ${functionName} (${where}) ${distinct(places).length} times, not once.`)
}

/** A function in another of the same name has its places in both. */
function distinct(places: readonly Place[]): readonly Place[] {
  return [...new Map(places.map((place) => [`${place.file}:${place.from}`, place])).values()]
}

function functionsNamed(name: string): readonly Place[] {
  return [...productFiles()]
    .filter(([, text]) => text.includes(name))
    .flatMap(([file, text]) => functionsIn(file, text).filter((each) => each.name === name))
}

/** Every function of a file that has a name, wherever it is. */
function functionsIn(file: string, text: string): readonly (Place & { readonly name: string })[] {
  const found: (Place & { readonly name: string })[] = []
  const visit = (node: ts.Node): void => {
    const name = nameOf(node)
    if (name !== null) found.push({ name, file, from: node.getStart(), to: node.getEnd() })
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
  return found
}

function nameOf(node: ts.Node): string | null {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return node.name?.getText() ?? null
  const hasFunction = (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)) && node.initializer
  if (!hasFunction) return null
  return ts.isArrowFunction(hasFunction) || ts.isFunctionExpression(hasFunction) ? node.name.getText() : null
}

/** The product's own files, each with its text. */
export function productFiles(): ReadonlyMap<string, string> {
  if (files.size > 0) return files
  const ignore = ['**/*.{test,fixture}.ts']
  for (const path of globSync('**/*.ts', { cwd: SOURCE, ignore })) {
    const file = join(SOURCE, path)
    files.set(file, readFileSync(file, 'utf8'))
  }
  return files
}
