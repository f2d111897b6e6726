// Knowing a shape is knowing somebody.
import type { area } from './area.ts'
export const grid: typeof area | 1 = 1
