import { cogFormulasOperation } from '@swath/contract/operations/cog.ts'
import { completeListFields } from '@swath/contract/paging.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { formulaTemplates } from '../../band_formulas/templates.ts'

export const listCogFormulas = defineHandler(cogFormulasOperation, async () => ({
  formulas: [...formulaTemplates],
  ...completeListFields(formulaTemplates),
}))
