import { bandFormulasGetOperation } from '@swath/contract/operations/band_formulas.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toBandFormula, bandFormulaNotFound } from '../formula.ts'
import { findBandFormulaRow } from '../store.ts'
import { findFormulaTemplate } from '../templates.ts'

export const handler = defineHandler(bandFormulasGetOperation, async (call, { formula_id }) => {
  const template = findFormulaTemplate(formula_id)
  if (template) return { band_formula: template }
  const row = await findBandFormulaRow(call.db, call.organization, formula_id)
  if (!row) throw bandFormulaNotFound(formula_id)
  return { band_formula: toBandFormula(row) }
})
