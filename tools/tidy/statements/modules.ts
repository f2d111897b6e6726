import { posix } from 'node:path'
import { isStore, type SourceTree } from '../tree.ts'
import { evaluate } from './evaluate.ts'
import { declareStatements, lookUp } from './scopes.ts'
import { parseTypeScript } from './syntax.ts'
import { lazy, plainSql, unknownValue, type LexicalScope, type SourceFile, type Value } from './values.ts'

/** The file with the tag `sql`. */
export const sqlModule = 'packages/server/src/platform/database/sql.ts'

/** A store, or another file that imports the tag `sql`, with the names that it declares. */
export interface SqlModule {
  readonly file: SourceFile
  readonly scope: LexicalScope
}

const sqlTag: Value = { kind: 'object', members: new Map([['empty', () => plainSql('')]]) }

const resolveImport = (from: string, specifier: string): string => posix.join(posix.dirname(from), specifier)

/** The files of a tree that write or run SQL. Names that they import from each other are known; other imports are not. */
export class SqlModules {
  private readonly tree: SourceTree
  private readonly loaded = new Map<string, SqlModule>()

  constructor(tree: SourceTree) {
    this.tree = tree
  }

  /** The files whose path satisfies the condition. */
  list(condition: (path: string) => boolean): SqlModule[] {
    return [...this.tree.code.keys()].filter(condition).flatMap((path) => this.load(path) ?? [])
  }

  private load(path: string): SqlModule | null {
    const known = this.loaded.get(path)
    if (known) return known
    const source = this.tree.code.get(path)
    const writesSql =
      isStore(path) || source?.imports.some(({ specifier }) => resolveImport(path, specifier) === sqlModule)
    if (!source || !writesSql) return null
    const { text } = source
    const file = { path, text, program: parseTypeScript(text), sqlTypes: listSqlTypes(text) }
    const scope: LexicalScope = { parent: null, names: new Map(), file, calls: [] }
    const module = { file, scope }
    this.loaded.set(path, module)
    this.bindImports(module)
    declareStatements(file.program.body, scope, evaluate)
    return module
  }

  private bindImports({ file, scope }: SqlModule): void {
    for (const node of file.program.body) {
      if (node.type !== 'ImportDeclaration') continue
      const from = resolveImport(file.path, String(node.source.value))
      for (const specifier of node.specifiers) {
        if (specifier.type !== 'ImportSpecifier' || specifier.imported.type !== 'Identifier') continue
        const { name } = specifier.imported
        const value = from === sqlModule ? () => sqlTag : lazy(() => this.readExport(from, name))
        scope.names.set(specifier.local.name, value)
      }
    }
  }

  private readExport(path: string, name: string): Value {
    const module = this.load(path)
    return module ? lookUp(module.scope, name) : unknownValue
  }
}

const listSqlTypes = (text: string): string[] => [
  'Sql',
  ...[...text.matchAll(/\binterface (\w+)[^{]*\{([^}]*)\}/g)]
    .filter(([, , members = '']) => /\bSql\b/.test(members))
    .map(([, name = '']) => name),
]
