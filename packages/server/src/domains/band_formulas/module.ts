import type { Module } from '../../engine/task.ts'
import { createBandFormula } from './operations/band_formulas.create.ts'
import { deleteBandFormula } from './operations/band_formulas.delete.ts'
import { getBandFormula } from './operations/band_formulas.get.ts'
import { listBandFormulas } from './operations/band_formulas.list.ts'
import { updateBandFormula } from './operations/band_formulas.update.ts'

export const bandFormulas: Module = {
  name: 'band_formulas',
  handlers: [createBandFormula, getBandFormula, listBandFormulas, updateBandFormula, deleteBandFormula],
  tasks: [],
}
