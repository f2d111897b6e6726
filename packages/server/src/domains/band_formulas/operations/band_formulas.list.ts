import { bandFormulasListOperation } from '@swath/contract/operations/band_formulas.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { toBandFormula } from '../formula.ts'
import { listBandFormulas } from '../store.ts'
import { bandFormulaTemplates } from '../templates.ts'

export const handler = defineHandler(bandFormulasListOperation, async (call, input) => {
  const category = input.category ?? null
  const ownFormulas = (await listBandFormulas(call.db, call.organization, category)).map(toBandFormula)
  const templates = bandFormulaTemplates.filter((template) => category === null || template.category === category)
  const band_formulas = input.include_templates ? [...ownFormulas, ...templates] : ownFormulas
  return toCompleteList('band_formulas', band_formulas)
})
