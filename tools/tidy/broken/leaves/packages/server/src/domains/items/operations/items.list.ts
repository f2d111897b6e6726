import { handler as itemsGet } from './items.get.ts'
export const handler = itemsGet
