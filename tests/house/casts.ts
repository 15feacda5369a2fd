import ts from 'typescript'
import { readRepositoryFile } from './repository.ts'

/** The places of a source where a value is declared to be of another type: `as` without `const`. */
export function castsIn(file: string, text: string = readRepositoryFile(file)): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const places: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      places.push(`${file}:${line + 1}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return places
}
