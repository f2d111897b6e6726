import { getItem } from './items.get.ts'
export const tested = getItem
