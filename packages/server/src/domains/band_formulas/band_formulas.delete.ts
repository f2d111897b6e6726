import { bandFormulasDelete } from '@swath/contract/operations/band_formulas.ts'
import { handler } from '../../engine/handler.ts'
import { forbiddenTemplate, missingFormula } from './formula.ts'
import { deleteFormula } from './store.ts'
import { findTemplate } from './templates.ts'

export const removeFormula = handler(bandFormulasDelete, async (call, { formula_id }) => {
  const template = findTemplate(formula_id)
  if (template) throw forbiddenTemplate(template.name)
  const found = await call.transaction((tx) => deleteFormula(tx, call.organization, formula_id))
  if (!found) throw missingFormula(formula_id)
  return { ok: true, id: formula_id }
})
