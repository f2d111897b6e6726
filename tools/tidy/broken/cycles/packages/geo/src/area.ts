import { bbox } from './bbox.ts'
export const area = bbox
