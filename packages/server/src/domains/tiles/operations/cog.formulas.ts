import { cogFormulasOperation } from '@swath/contract/operations/cog.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { formulaTemplates } from '../../band_formulas/templates.ts'

export const handler = defineHandler(cogFormulasOperation, async () => toCompleteList('formulas', formulaTemplates))
