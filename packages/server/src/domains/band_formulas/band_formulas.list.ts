import { bandFormulasList } from '@swath/contract/operations/band_formulas.ts'
import { wholeWindow } from '@swath/contract/paging.ts'
import { handler } from '../../engine/handler.ts'
import { formulaOf } from './formula.ts'
import { listFormulas as readFormulas } from './store.ts'
import { templateFormulas } from './templates.ts'

export const listFormulas = handler(bandFormulasList, async (call, input) => {
  const category = input.category ?? null
  const own = (await readFormulas(call.db, call.organization, category)).map(formulaOf)
  const templates = templateFormulas.filter((template) => category === null || template.category === category)
  const band_formulas = input.include_templates ? [...own, ...templates] : own
  return { band_formulas, ...wholeWindow(band_formulas) }
})
