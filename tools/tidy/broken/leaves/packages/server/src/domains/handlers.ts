import { handler as itemsGet } from './items/operations/items.get.ts'
export const handlers = [itemsGet]
