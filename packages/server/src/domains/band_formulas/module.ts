import type { Module } from '../../engine/task.ts'
import { createBandFormula } from './band_formulas.create.ts'
import { deleteBandFormula } from './band_formulas.delete.ts'
import { getBandFormula } from './band_formulas.get.ts'
import { listBandFormulas } from './band_formulas.list.ts'
import { updateBandFormula } from './band_formulas.update.ts'

export const bandFormulas: Module = {
  name: 'band_formulas',
  handlers: [createBandFormula, getBandFormula, listBandFormulas, updateBandFormula, deleteBandFormula],
  tasks: [],
}
