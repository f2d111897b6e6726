import type { ColumnRef, DeleteStmt, FuncCall, InsertStmt, Node, SelectStmt, TypeName, UpdateStmt } from 'libpg-query'

/** The column that tenant tables are distributed by. */
export const organizationColumn = 'organization_id'

/** A statement, or a query within one. */
export type Query =
  | { readonly kind: 'select'; readonly query: SelectStmt }
  | { readonly kind: 'insert'; readonly query: InsertStmt }
  | { readonly kind: 'update'; readonly query: UpdateStmt }
  | { readonly kind: 'delete'; readonly query: DeleteStmt }

/** The statement of a node; null if it is neither a query nor a change of rows. */
export function toQuery(node: Node | undefined): Query | null {
  if (!node) return null
  if ('SelectStmt' in node) return { kind: 'select', query: node.SelectStmt }
  if ('InsertStmt' in node) return { kind: 'insert', query: node.InsertStmt }
  if ('UpdateStmt' in node) return { kind: 'update', query: node.UpdateStmt }
  return 'DeleteStmt' in node ? { kind: 'delete', query: node.DeleteStmt } : null
}

type JsonObject = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null

/** The members of a node that hold another query. */
const queryMembers: ReadonlySet<string> = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'])

/**
 * Calls `visit` for each node of a tree, from the outside in.
 *
 * @param into false leaves out the queries within it.
 */
export function visitNodes(tree: unknown, visit: (node: Node) => void, into = true): void {
  if (Array.isArray(tree)) {
    for (const item of tree) visitNodes(item, visit, into)
    return
  }
  if (!isObject(tree)) return
  const names = Object.keys(tree)
  if (names.length === 1 && isNodeName(names[0]!)) visit(tree as unknown as Node)
  for (const name of names) {
    const member = tree[name]
    if (typeof member === 'object' && (into || !queryMembers.has(name))) visitNodes(member, visit, into)
  }
}

/** A node is an object whose only member begins with a capital letter. */
const isNodeName = (name: string): boolean => name[0]! >= 'A' && name[0]! <= 'Z'

/** All queries of a tree, itself first. */
export function listQueries(tree: Node): Query[] {
  const queries: Query[] = []
  const addParts = (select: SelectStmt): void => {
    for (const query of [select.larg, select.rarg]) {
      if (!query) continue
      queries.push({ kind: 'select', query })
      addParts(query)
    }
  }
  visitNodes(tree, (node) => {
    const query = toQuery(node)
    if (!query) return
    queries.push(query)
    if (query.kind === 'select') addParts(query.query)
  })
  return queries
}

/** The texts of a list of names. */
export const nameTexts = (nodes: readonly Node[] | undefined): string[] =>
  (nodes ?? []).map((node) => ('String' in node ? (node.String.sval ?? '') : '*'))

/** The name of a function without its schema. */
export const functionName = ({ funcname }: FuncCall): string => nameTexts(funcname).at(-1) ?? ''

/** The name of a type without its schema: `timestamptz`, `uuid`. */
export const typeName = (type: TypeName | undefined): string => nameTexts(type?.names).at(-1) ?? ''

/** A column with the name of its table; null where it has none, `*` for all columns. */
export function columnName({ fields }: ColumnRef): { readonly table: string | null; readonly column: string } {
  const names = nameTexts(fields)
  return { table: names.at(-2) ?? null, column: names.at(-1) ?? '*' }
}

/** The expression without casts and collations. */
export function withoutCasts(node: Node | undefined): Node | undefined {
  if (!node) return undefined
  if ('TypeCast' in node) return withoutCasts(node.TypeCast.arg)
  return 'CollateClause' in node ? withoutCasts(node.CollateClause.arg) : node
}

/** The conditions that must all hold for a condition to hold. */
export function listConjuncts(node: Node | undefined): Node[] {
  if (!node) return []
  return 'BoolExpr' in node && node.BoolExpr.boolop === 'AND_EXPR'
    ? (node.BoolExpr.args ?? []).flatMap(listConjuncts)
    : [node]
}

/** The pairs of expressions that are equal if a condition holds; those of rows by their members. */
export function listEqualities(condition: Node): (readonly [left: Node, right: Node])[] {
  if (!('A_Expr' in condition) || condition.A_Expr.kind !== 'AEXPR_OP') return []
  const { name, lexpr, rexpr } = condition.A_Expr
  if (nameTexts(name).at(-1) !== '=' || !lexpr || !rexpr) return []
  if (!('RowExpr' in lexpr) || !('RowExpr' in rexpr)) return [[lexpr, rexpr]]
  const [left, right] = [lexpr.RowExpr.args ?? [], rexpr.RowExpr.args ?? []]
  return left.flatMap((member, index) => (right[index] ? [[member, right[index]] as const] : []))
}
