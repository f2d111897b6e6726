import { getItem } from './items.get.ts'
export const module = getItem
