import { grid } from './grid.ts'
export const bbox = grid
