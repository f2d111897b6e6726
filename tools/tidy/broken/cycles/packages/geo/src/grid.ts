// A type import is a dependency, too.
import type { area } from './area.ts'
export const grid: typeof area | 1 = 1
