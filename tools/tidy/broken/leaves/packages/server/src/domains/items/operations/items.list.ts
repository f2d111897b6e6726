import { getItem } from './items.get.ts'
export const listItems = getItem
