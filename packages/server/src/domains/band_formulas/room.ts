import type { Room } from '../../engine/task.ts'
import { createFormula } from './band_formulas.create.ts'
import { removeFormula } from './band_formulas.delete.ts'
import { getFormula } from './band_formulas.get.ts'
import { listFormulas } from './band_formulas.list.ts'
import { changeFormula } from './band_formulas.update.ts'

export const bandFormulas: Room = {
  name: 'band_formulas',
  handlers: [createFormula, getFormula, listFormulas, changeFormula, removeFormula],
  tasks: [],
}
