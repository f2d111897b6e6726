import { getItem } from '../items/operations/items.get.ts'
export const module = getItem
