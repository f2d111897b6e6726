import type { Node } from 'libpg-query'
import { isValue, listConjuncts, nameTexts, withoutCasts } from './syntax.ts'

/** The column that tenant tables are distributed by. */
export const organizationColumn = 'organization_id'

/** Says whether an expression is the organization of a row; with an alias, of that table. */
export function isOrganization(expression: Node | undefined, alias: string | null): boolean {
  const inner = withoutCasts(expression)
  const names = inner && 'ColumnRef' in inner ? nameTexts(inner.ColumnRef.fields) : []
  return names.at(-1) === organizationColumn && (alias === null || names.length === 1 || names.at(-2) === alias)
}

/** Says whether a condition holds for rows of one organization only, which is a value. */
export const isLimited = (condition: Node | undefined, alias: string | null): boolean =>
  listConjuncts(condition).some((conjunct) => {
    if (!('A_Expr' in conjunct) || conjunct.A_Expr.kind !== 'AEXPR_OP') return false
    const { name, lexpr, rexpr } = conjunct.A_Expr
    const isOf = (column: Node | undefined, value: Node | undefined): boolean =>
      isOrganization(column, alias) && isValue(value)
    return nameTexts(name).at(-1) === '=' && (isOf(lexpr, rexpr) || isOf(rexpr, lexpr))
  })
