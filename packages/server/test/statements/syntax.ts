import { loadModule, parseSync, type Node, type SelectStmt } from 'libpg-query'
import type { DeleteStmt, InsertStmt, UpdateStmt } from 'libpg-query'

await loadModule()

/** A query that changes rows, alone or within another one. */
export type Change =
  | { readonly kind: 'insert'; readonly query: InsertStmt }
  | { readonly kind: 'update'; readonly query: UpdateStmt }
  | { readonly kind: 'delete'; readonly query: DeleteStmt }

export type Query = Change | { readonly kind: 'select'; readonly query: SelectStmt }

/** The statements of a text by the grammar of PostgreSQL. Throws an SqlError for invalid SQL. */
export const parseSql = (text: string): Node[] =>
  (parseSync(text).stmts ?? []).flatMap(({ stmt }) => (stmt ? [stmt] : []))

/** The query of a node; null if it is another statement or expression. */
export function toQuery(node: Node | undefined): Query | null {
  if (!node) return null
  if ('SelectStmt' in node) return { kind: 'select', query: node.SelectStmt }
  if ('InsertStmt' in node) return { kind: 'insert', query: node.InsertStmt }
  if ('UpdateStmt' in node) return { kind: 'update', query: node.UpdateStmt }
  return 'DeleteStmt' in node ? { kind: 'delete', query: node.DeleteStmt } : null
}

/** All nodes of a part of a tree, from the outside in. A node is an object whose only member begins with a capital letter. */
export function listNodes(part: unknown, found: Node[] = []): Node[] {
  if (typeof part !== 'object' || part === null) return found
  const members = Object.entries(part)
  if (members.length === 1 && /^[A-Z]/.test(members[0]![0])) found.push(part as Node)
  for (const [, member] of members) listNodes(member, found)
  return found
}

/** A SELECT with the arms of a UNION, which are no nodes. */
const listArms = (query: SelectStmt): SelectStmt[] => [
  query,
  ...[query.larg, query.rarg].flatMap((arm) => (arm ? listArms(arm) : [])),
]

/** The queries among nodes, with the arms of each UNION. */
export const listQueries = (nodes: readonly Node[]): Query[] =>
  nodes.flatMap((node): Query[] => {
    const found = toQuery(node)
    if (found?.kind !== 'select') return found ? [found] : []
    return listArms(found.query).map((query) => ({ kind: 'select', query }))
  })

/** The texts of a list of names; `*` is one. */
export const nameTexts = (nodes: readonly Node[] = []): string[] =>
  nodes.map((node) => ('String' in node ? (node.String.sval ?? '') : '*'))

/** The names of the columns that are assigned, or that rows are inserted into. */
export const listTargets = (nodes: readonly Node[] = []): string[] =>
  nodes.flatMap((node) => ('ResTarget' in node ? [node.ResTarget.name ?? ''] : []))

/** The items of a FROM clause; those of a join each. */
export const listFromItems = (clause: readonly Node[] = []): Node[] =>
  clause.flatMap((item) => {
    if (!('JoinExpr' in item)) return [item]
    const { larg, rarg } = item.JoinExpr
    return listFromItems([larg, rarg].flatMap((side) => side ?? []))
  })

/** The name of a table, or of a WITH clause; null for other items. */
export const relationName = (item: Node): string | null => ('RangeVar' in item ? (item.RangeVar.relname ?? null) : null)

/** The conditions that hold if a condition does. */
export const listConjuncts = (condition: Node | undefined): Node[] => {
  if (!condition) return []
  const isAnd = 'BoolExpr' in condition && condition.BoolExpr.boolop === 'AND_EXPR'
  return isAnd ? (condition.BoolExpr.args ?? []).flatMap(listConjuncts) : [condition]
}

export const withoutCasts = (expression: Node | undefined): Node | undefined =>
  expression && 'TypeCast' in expression ? withoutCasts(expression.TypeCast.arg) : expression

/** Says whether an expression is the same for all rows: a parameter or a constant. */
export const isValue = (expression: Node | undefined): boolean => {
  const inner = withoutCasts(expression)
  return inner !== undefined && ('ParamRef' in inner || 'A_Const' in inner)
}

export const hasSubquery = (part: unknown): boolean => listNodes(part).some((node) => 'SubLink' in node)
