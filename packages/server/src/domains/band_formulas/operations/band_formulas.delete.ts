import { bandFormulasDeleteOperation } from '@swath/contract/operations/band_formulas.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { createTemplateReadOnlyProblem, bandFormulaNotFound } from '../formula.ts'
import { deleteBandFormulaRow } from '../store.ts'
import { findFormulaTemplate } from '../templates.ts'

export const handler = defineHandler(bandFormulasDeleteOperation, async (call, { formula_id }) => {
  const template = findFormulaTemplate(formula_id)
  if (template) throw createTemplateReadOnlyProblem(template.name)
  const isDeleted = await call.transaction((tx) => deleteBandFormulaRow(tx, call.organization, formula_id))
  if (!isDeleted) throw bandFormulaNotFound(formula_id)
  return { ok: true, id: formula_id }
})
