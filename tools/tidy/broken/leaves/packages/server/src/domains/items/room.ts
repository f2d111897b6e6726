import { getItem } from './items.get.ts'
export const room = getItem
