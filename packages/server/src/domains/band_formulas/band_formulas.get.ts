import { bandFormulasGet } from '@swath/contract/operations/band_formulas.ts'
import { handler } from '../../engine/handler.ts'
import { formulaOf, missingFormula } from './formula.ts'
import { findFormula } from './store.ts'
import { findTemplate } from './templates.ts'

export const getFormula = handler(bandFormulasGet, async (call, { formula_id }) => {
  const template = findTemplate(formula_id)
  if (template) return { band_formula: template }
  const row = await findFormula(call.db, call.organization, formula_id)
  if (!row) throw missingFormula(formula_id)
  return { band_formula: formulaOf(row) }
})
