import { handler } from './operations/items.get.ts'
export const module = handler
