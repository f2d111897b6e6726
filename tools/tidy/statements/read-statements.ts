import type { AnyNode, TaggedTemplateExpression } from 'acorn'
import type { Node } from 'libpg-query'
import { isProductCode, isStore, type SourceTree } from '../tree.ts'
import { Collector, type QueryCall } from './collect.ts'
import { evaluate } from './evaluate.ts'
import { SqlModules } from './modules.ts'
import { parseFragment, parseRendered } from './parse-sql.ts'
import { isOwnSql, renderTexts, type RenderedSql } from './render.ts'
import { lineOf } from './syntax.ts'
import type { LexicalScope, SourceFile } from './values.ts'

/** Where a statement stands: its file, its line, and the function or constant at the top of the file that it is in. */
export interface StatementPlace {
  readonly file: string
  readonly line: number
  readonly name: string
}

/** A text that a statement can have, with its syntax tree. */
export interface StatementVariant {
  /** With numbered parameters; what is not known may be one, too. */
  readonly text: string
  readonly tree: Node
  /** What the connection is called that it runs on; null if that is not known. */
  readonly connection: string | null
}

/** A statement with the texts that it can have; none if it is unread. */
export interface ReadStatement extends StatementPlace {
  readonly variants: readonly StatementVariant[]
}

export interface ReadStatements {
  readonly statements: readonly ReadStatement[]
  /** Statements and fragments that are not valid SQL, whatever their unknown parts are. */
  readonly unread: readonly StatementPlace[]
}

/**
 * Reads every SQL statement of the product code with the grammar of PostgreSQL: what `query(…)` is called with. A template
 * that is part of no such statement is read as a statement or fragment of its own.
 */
export function readStatements(tree: SourceTree): ReadStatements {
  const collector = new Collector()
  for (const module of new SqlModules(tree).list(isProductCode)) collector.collectModule(module)
  const reader = new Reader()
  reader.readQueries(collector.queries)
  for (const [node, scope] of collector.templates) reader.readTemplate(node, scope)
  return reader.result()
}

type ReadableSql = Pick<QueryCall, 'file' | 'value' | 'connection'> & { readonly node: AnyNode }

interface Reading {
  readonly parse: (rendered: RenderedSql) => Node[] | null
  readonly max_texts: number
}

const asStatement: Reading = { parse: parseRendered, max_texts: 16 }
/** The templates in a fragment that its texts leave out are read by themselves. */
const asFragment: Reading = { parse: parseFragment, max_texts: 8 }

interface FoundStatement {
  readonly place: StatementPlace
  readonly variants: StatementVariant[]
}

class Reader {
  private readonly statements = new Map<AnyNode, FoundStatement>()
  private readonly used = new Set<TaggedTemplateExpression>()
  private readonly parsed = new Map<string, Node[] | null>()

  readQueries(queries: readonly QueryCall[]): void {
    for (const calls of Map.groupBy(queries, ({ node }) => node).values()) {
      const known = calls.filter(({ value }) => isOwnSql(value))
      // Where nobody calls the function, the SQL that it is passed is not known.
      const bound = known.filter(({ isBound }) => isBound)
      for (const query of bound.length > 0 ? bound : known) this.read(query, asStatement)
      if (known.length === 0 && isStore(calls[0]!.file.path)) this.statementAt(calls[0]!)
    }
  }

  /** Reads a template that is part of no statement. */
  readTemplate(node: TaggedTemplateExpression, scope: LexicalScope): void {
    if (!this.used.has(node))
      this.read({ node, file: scope.file, value: evaluate(node, scope), connection: null }, asFragment)
  }

  result(): ReadStatements {
    const found = [...this.statements.values()]
    return {
      statements: found.map(({ place, variants }) => ({ ...place, variants })),
      unread: listDistinct(found.filter(({ variants }) => variants.length === 0).map(({ place }) => place)),
    }
  }

  private statementAt({ node, file }: Pick<ReadableSql, 'node' | 'file'>): FoundStatement {
    const statement = this.statements.get(node) ?? { place: placeOf(file, node), variants: [] }
    this.statements.set(node, statement)
    return statement
  }

  private read({ node, file, value, connection }: ReadableSql, { parse, max_texts }: Reading): void {
    const statement = this.statementAt({ node, file })
    for (const rendered of renderTexts(value, max_texts)) {
      const nodes = this.parsed.get(rendered.text) ?? parse(rendered)
      this.parsed.set(rendered.text, nodes)
      if (!nodes) continue
      statement.variants.push(...nodes.map((tree) => ({ text: rendered.text, tree, connection })))
      for (const template of rendered.templates) this.used.add(template)
    }
  }
}

/** A statement that cannot be read and its template are at one place. */
const listDistinct = (places: readonly StatementPlace[]): StatementPlace[] => [
  ...new Map(places.map((place) => [`${place.file} ${place.line}`, place])).values(),
]

const placeOf = ({ path, text, program }: SourceFile, node: AnyNode): StatementPlace => ({
  file: path,
  line: lineOf(text, node.start),
  name: nameOf(
    program.body.find(({ start, end }) => start <= node.start && node.end <= end)!,
    node,
  ),
})

/** The name of the declaration at the top of a file that contains a node. */
function nameOf(top: AnyNode, node: AnyNode): string {
  const declaration = top.type === 'ExportNamedDeclaration' ? top.declaration : top
  if (declaration?.type === 'FunctionDeclaration') return declaration.id?.name ?? 'module'
  if (declaration?.type !== 'VariableDeclaration') return 'module'
  const variable = declaration.declarations.find(({ start, end }) => start <= node.start && node.end <= end)
  return variable?.id.type === 'Identifier' ? variable.id.name : 'module'
}
