import { bandFormulasCreate } from '@swath/contract/operations/band_formulas.ts'
import { handler } from '../../engine/handler.ts'
import { newId } from '../../platform/ids.ts'
import { checkFormula, formulaOf, withName } from './formula.ts'
import { insertFormula, type FormulaRow } from './store.ts'

/** The range of normalized difference indices. */
const usual_range = [-1, 1]

export const createFormula = handler(bandFormulasCreate, async (call, input) => {
  const now = call.clock.now()
  const words = {
    ...input,
    display_name: input.display_name ?? null,
    description: input.description ?? null,
    value_range: input.value_range ?? usual_range,
  }
  const row: FormulaRow = {
    ...words,
    required_bands: checkFormula(words),
    id: newId(),
    organization_id: call.organization,
    created_by: call.principal.id,
    created_at: now,
    updated_at: now,
  }
  const inserted = call.transaction((tx) => insertFormula(tx, row))
  await withName(input.name, inserted)
  return formulaOf(row)
})
