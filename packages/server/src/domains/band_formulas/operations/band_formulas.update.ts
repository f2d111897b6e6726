import { bandFormulasUpdateOperation } from '@swath/contract/operations/band_formulas.ts'
import { defineHandler } from '../../../engine/handler.ts'
import {
  validateBandFormula,
  createTemplateReadOnlyProblem,
  toBandFormula,
  bandFormulaNotFound,
  withUniqueFormulaName,
} from '../formula.ts'
import { findBandFormulaRow, updateBandFormulaRow, type BandFormulaRow } from '../store.ts'
import { findFormulaTemplate } from '../templates.ts'

export const handler = defineHandler(bandFormulasUpdateOperation, async (call, input) => {
  const template = findFormulaTemplate(input.formula_id)
  if (template) throw createTemplateReadOnlyProblem(template.name)

  const changed = call.transaction(async (tx) => {
    const current = await findBandFormulaRow(tx, call.organization, input.formula_id, true)
    if (!current) throw bandFormulaNotFound(input.formula_id)
    const newValues = {
      name: input.name ?? current.name,
      formula: input.formula ?? current.formula,
      display_name: input.display_name === undefined ? current.display_name : input.display_name,
      description: input.description === undefined ? current.description : input.description,
      colormap: input.colormap ?? current.colormap,
      value_range: input.value_range ?? current.value_range,
      category: input.category ?? current.category,
    }
    const required_bands = validateBandFormula(newValues)
    const row: BandFormulaRow = { ...current, ...newValues, required_bands, updated_at: call.clock.now() }
    await updateBandFormulaRow(tx, row)
    return toBandFormula(row)
  })
  return withUniqueFormulaName(input.name ?? '', changed)
})
