import { cogFormulas } from '@swath/contract/operations/cog.ts'
import { wholeWindow } from '@swath/contract/paging.ts'
import { handler } from '../../engine/handler.ts'
import { formulaTemplates } from '../band_formulas/templates.ts'

export const listCogFormulas = handler(cogFormulas, async () => ({
  formulas: [...formulaTemplates],
  ...wholeWindow(formulaTemplates),
}))
