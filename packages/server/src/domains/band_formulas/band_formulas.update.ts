import { bandFormulasUpdate } from '@swath/contract/operations/band_formulas.ts'
import { handler } from '../../engine/handler.ts'
import { checkFormula, forbiddenTemplate, formulaOf, missingFormula, withName } from './formula.ts'
import { findFormula, updateFormula, type FormulaRow } from './store.ts'
import { findTemplate } from './templates.ts'

export const changeFormula = handler(bandFormulasUpdate, async (call, input) => {
  const template = findTemplate(input.formula_id)
  if (template) throw forbiddenTemplate(template.name)

  const changed = call.transaction(async (tx) => {
    const before = await findFormula(tx, call.organization, input.formula_id, true)
    if (!before) throw missingFormula(input.formula_id)
    const words = {
      name: input.name ?? before.name,
      formula: input.formula ?? before.formula,
      display_name: input.display_name === undefined ? before.display_name : input.display_name,
      description: input.description === undefined ? before.description : input.description,
      colormap: input.colormap ?? before.colormap,
      value_range: input.value_range ?? before.value_range,
      category: input.category ?? before.category,
    }
    const required_bands = checkFormula(words)
    const row: FormulaRow = { ...before, ...words, required_bands, updated_at: call.clock.now() }
    await updateFormula(tx, row)
    return formulaOf(row)
  })
  return withName(input.name ?? '', changed)
})
