import { getItem } from './operations/items.get.ts'
export const module = [getItem]
