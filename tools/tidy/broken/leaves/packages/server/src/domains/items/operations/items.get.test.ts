import { handler } from './items.get.ts'
export const tested = handler
