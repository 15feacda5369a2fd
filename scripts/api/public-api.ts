import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const REPOSITORY = join(import.meta.dirname, '..', '..')

/** One name that an entry point exports. */
export interface ApiExport {
  readonly name: string
  /** Its declaration as users see it: types, without comments and bodies. */
  readonly text: string
  /** Types of ours that the declaration mentions and that the same entry point does not export. */
  readonly missing: readonly string[]
  /** Those of them that no entry point exports. */
  readonly unreachable: readonly string[]
}

/** One entry point of the package, such as `stint/core`, with its exports by name. */
export interface ApiEntry {
  readonly specifier: string
  readonly exports: readonly ApiExport[]
}

/** The public API, read from the sources by the type checker: it needs no build. */
export function readPublicApi(): readonly ApiEntry[] {
  const entries = entryPoints()
  const options = {
    ...compilerOptions(),
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    skipLibCheck: true,
  }
  const program = ts.createProgram(
    entries.map(({ source }) => source),
    options,
  )
  const declarations = declarationFiles(program)
  const everywhere = new Set(entries.flatMap(({ source }) => exportedFrom(program, source).map(({ target }) => target)))
  return entries.map(({ specifier, source }) => {
    return { specifier, exports: exportsOf(program, exportedFrom(program, source), { declarations, everywhere }) }
  })
}

interface Exported {
  readonly name: string
  /** What is exported, wherever it was declared. */
  readonly target: ts.Symbol
}

interface Surroundings {
  readonly declarations: ReadonlyMap<string, ts.SourceFile>
  readonly everywhere: ReadonlySet<ts.Symbol>
}

function exportedFrom(program: ts.Program, source: string): readonly Exported[] {
  const checker = program.getTypeChecker()
  const module = checker.getSymbolAtLocation(program.getSourceFile(source)!)!
  return checker.getExportsOfModule(module).map((symbol) => {
    return { name: symbol.name, target: withoutAlias(checker, symbol) }
  })
}

function entryPoints(): readonly { readonly specifier: string; readonly source: string }[] {
  const { name, exports } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>
  }
  return Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === 'string') return []
    const source = target.types.replace('./dist/', 'src/').replace(/\.d\.ts$/, '.ts')
    return [{ specifier: path.replace('.', name), source: join(REPOSITORY, source) }]
  })
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(REPOSITORY, 'tsconfig.json'), ts.sys.readFile)
  return ts.convertCompilerOptionsFromJson(config.compilerOptions, REPOSITORY).options
}

/** What the compiler would write beside each source. */
function declarationFiles(program: ts.Program): ReadonlyMap<string, ts.SourceFile> {
  const files = new Map<string, ts.SourceFile>()
  program.emit(
    undefined,
    (_, text, __, ___, sources) => {
      const [source] = sources ?? []
      if (source !== undefined) files.set(source.fileName, ts.createSourceFile('d.ts', text, ts.ScriptTarget.Latest))
    },
    undefined,
    true,
  )
  return files
}

function exportsOf(
  program: ts.Program,
  exported: readonly Exported[],
  { declarations, everywhere }: Surroundings,
): readonly ApiExport[] {
  const here = new Set(exported.map(({ target }) => target))
  const read = exported.map(({ name, target }): ApiExport => {
    const source = target.declarations?.[0]?.getSourceFile()
    const statements = source === undefined ? [] : statementsNamed(target.name, declarations.get(source.fileName))
    if (source === undefined || statements.length === 0) throw new Error(`no declaration of ${name}`)
    const mentions = new Set(statements.flatMap((statement) => mentionsIn(program, statement, source)))
    const missing = [...mentions].filter((mention) => !here.has(mention))
    return {
      name,
      text: statements.map(textOf).join('\n'),
      missing: missing.map((mention) => mention.name).sort(),
      unreachable: missing
        .filter((mention) => !everywhere.has(mention))
        .map((mention) => mention.name)
        .sort(),
    }
  })
  return read.sort((left, right) => (left.name < right.name ? -1 : 1))
}

function withoutAlias(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol)
}

function statementsNamed(name: string, file: ts.SourceFile | undefined): readonly ts.Statement[] {
  return (file?.statements ?? []).filter((statement) => {
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.some(
        (each) => ts.isIdentifier(each.name) && each.name.text === name,
      )
    }
    return isNamedDeclaration(statement) && statement.name?.text === name
  })
}

function isNamedDeclaration(
  statement: ts.Statement,
): statement is ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.FunctionDeclaration | ts.ClassDeclaration {
  return (
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement)
  )
}

/** Every declaration of ours that a statement names, resolved as in the source that it was written in. */
function mentionsIn(program: ts.Program, statement: ts.Statement, source: ts.SourceFile): readonly ts.Symbol[] {
  const checker = program.getTypeChecker()
  const found: ts.Symbol[] = []
  const own = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isTypeParameterDeclaration(node)) own.add(node.name.text)
    if (ts.isTypeReferenceNode(node)) note(node.typeName)
    if (ts.isExpressionWithTypeArguments(node) && ts.isIdentifier(node.expression)) note(node.expression)
    if (ts.isImportTypeNode(node) && node.qualifier !== undefined) noteImported(node)
    ts.forEachChild(node, visit)
  }
  const note = (name: ts.EntityName): void => {
    const first = ts.isIdentifier(name) ? name : name.left
    if (!ts.isIdentifier(first) || own.has(first.text)) return
    const flags = ts.SymbolFlags.Type | ts.SymbolFlags.Value | ts.SymbolFlags.Alias | ts.SymbolFlags.Namespace
    add(checker.resolveName(first.text, source, flags, false))
  }
  const noteImported = ({ argument, qualifier }: ts.ImportTypeNode): void => {
    if (!ts.isLiteralTypeNode(argument) || !ts.isStringLiteral(argument.literal)) return
    if (!argument.literal.text.startsWith('.')) return
    const file = join(source.fileName, '..', argument.literal.text)
    const name = ts.isIdentifier(qualifier!) ? qualifier.text : ''
    const module = program.getSourceFile(file)
    const symbol = module === undefined ? undefined : checker.getSymbolAtLocation(module)
    add(symbol?.exports?.get(ts.escapeLeadingUnderscores(name)))
  }
  const add = (symbol: ts.Symbol | undefined): void => {
    if (symbol === undefined) return
    const target = withoutAlias(checker, symbol)
    if (target.declarations?.some((each) => isOurs(each.getSourceFile().fileName))) found.push(target)
  }
  visit(statement)
  return found
}

function isOurs(file: string): boolean {
  return file.startsWith(join(REPOSITORY, 'src'))
}

const printer = ts.createPrinter({ removeComments: true })

function textOf(statement: ts.Statement): string {
  const printed = printer.printNode(ts.EmitHint.Unspecified, statement, statement.getSourceFile())
  return printed.replace(/^export (declare )?/, '').replaceAll(/^( {4})+/gm, (indent) => ' '.repeat(indent.length / 2))
}
