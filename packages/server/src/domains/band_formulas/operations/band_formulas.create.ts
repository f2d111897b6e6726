import { bandFormulasCreateOperation } from '@swath/contract/operations/band_formulas.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { newId } from '../../../platform/ids.ts'
import { validateBandFormula, toBandFormula, withUniqueFormulaName } from '../formula.ts'
import { insertBandFormulaRow, type BandFormulaRow } from '../store.ts'

/** The range of normalized difference indices. */
const default_value_range = [-1, 1]

export const handler = defineHandler(bandFormulasCreateOperation, async (call, input) => {
  const now = call.clock.now()
  const values = {
    ...input,
    display_name: input.display_name ?? null,
    description: input.description ?? null,
    value_range: input.value_range ?? default_value_range,
  }
  const row: BandFormulaRow = {
    ...values,
    required_bands: validateBandFormula(values),
    id: newId(),
    organization_id: call.organization,
    created_by: call.principal.id,
    created_at: now,
    updated_at: now,
  }
  const inserted = call.transaction((tx) => insertBandFormulaRow(tx, row))
  await withUniqueFormulaName(input.name, inserted)
  return toBandFormula(row)
})
