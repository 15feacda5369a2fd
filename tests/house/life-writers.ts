import ts from 'typescript'

/** Places that write the lifecycle of a scope or a part of it, as `file:line: text`. */
export function lifeWriters(path: string, text: string): readonly string[] {
  if (!/\blife\b/.test(text)) return []
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (isWrite(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      found.push(`${path}:${line + 1}: ${node.getText()}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Fields of an interface that can be written; `null` if there is no such interface. */
export function writableFields(text: string, name: string): readonly string[] | null {
  const source = ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true)
  const found = source.statements.filter(ts.isInterfaceDeclaration).find((each) => each.name.text === name)
  if (found === undefined) return null
  const isReadonly = (member: ts.TypeElement): boolean =>
    ts.canHaveModifiers(member) === true &&
    (ts.getModifiers(member) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword)
  return found.members.filter((member) => !isReadonly(member)).map((member) => member.name?.getText() ?? '')
}

function isWrite(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node)) return isAssignment(node.operatorToken.kind) && isLife(node.left)
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    const { operator } = node
    return (
      (operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken) && isLife(node.operand)
    )
  }
  if (ts.isDeleteExpression(node)) return isLife(node.expression)
  // Object.assign(runtime.life, …), and Object.assign(runtime, { life: … }).
  if (!ts.isCallExpression(node) || !/^(Object\.assign|Object\.define|Reflect\.)/.test(node.expression.getText()))
    return false
  return node.arguments.some((argument, place) =>
    place === 0 ? isLife(argument) : /\blife\b/.test(argument.getText()),
  )
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
}

function isLife(node: ts.Node): boolean {
  return /(\.|\[['"])life\b/.test(node.getText())
}
