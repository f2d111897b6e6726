import { getItem } from '../items/items.get.ts'
export const module = getItem
