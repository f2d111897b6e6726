import type { Node } from 'libpg-query'
import type { SchemaFacts } from './schema-facts.ts'
import { isValue, listNodes, nameTexts } from './syntax.ts'

/** Types whose text depends on the time zone or the date style of a session. */
const timeTypes: ReadonlySet<string> = new Set(['timestamptz', 'timestamp', 'date', 'time', 'timetz'])

/** The functions, casts and operators of an expression whose result may differ in another session or at another time. */
export const listMutable = (expression: unknown, facts: SchemaFacts, least: 'stable' | 'volatile'): string[] => [
  ...new Set(
    listNodes(expression).flatMap(
      (node) => findFunction(node, facts, least) ?? (least === 'stable' ? describeStable(node) : []),
    ),
  ),
]

/** The name of a function that is volatile, or at least stable. */
function findFunction(node: Node, { mutableFunctions }: SchemaFacts, least: 'stable' | 'volatile'): string | null {
  if (!('FuncCall' in node)) return null
  const name = nameTexts(node.FuncCall.funcname).at(-1) ?? ''
  const count = node.FuncCall.args?.length ?? 0
  const isMutable = mutableFunctions
    .get(name)
    ?.some(
      ({ is_volatile, min_arguments, max_arguments }) =>
        (is_volatile || least === 'stable') && min_arguments <= count && count <= (max_arguments ?? count),
    )
  return isMutable ? `the function ${name}` : null
}

function describeStable(node: Node): string[] {
  if ('SQLValueFunction' in node) return ['the current time or user']
  if ('TypeCast' in node) {
    const type = nameTexts(node.TypeCast.typeName?.names).at(-1) ?? ''
    // The cast of a value only says its type.
    return timeTypes.has(type) && !isValue(node.TypeCast.arg) ? [`a cast to ${type}`] : []
  }
  if (!('A_Expr' in node) || !isOperator(node, ['+', '-'])) return []
  return isInterval(node.A_Expr.lexpr) === isInterval(node.A_Expr.rexpr) ? [] : ['a time and an interval']
}

const isOperator = (node: Node, names: readonly string[]): boolean =>
  'A_Expr' in node && names.includes(nameTexts(node.A_Expr.name).at(-1) ?? '')

/** Says whether an expression is written as an interval, or as a multiple of one. */
function isInterval(node: Node | undefined): boolean {
  if (!node) return false
  if ('TypeCast' in node) return nameTexts(node.TypeCast.typeName?.names).at(-1) === 'interval'
  if ('FuncCall' in node) return nameTexts(node.FuncCall.funcname).at(-1) === 'make_interval'
  if (!('A_Expr' in node) || !isOperator(node, ['*', '/'])) return false
  return isInterval(node.A_Expr.lexpr) || isInterval(node.A_Expr.rexpr)
}
