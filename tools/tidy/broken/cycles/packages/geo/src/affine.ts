import { area } from './area.ts'
export const affine = area
