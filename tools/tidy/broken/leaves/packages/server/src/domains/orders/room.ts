import { getItem } from '../items/items.get.ts'
export const room = getItem
