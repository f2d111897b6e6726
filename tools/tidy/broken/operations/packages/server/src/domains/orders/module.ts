import { getOrder } from './orders.get.ts'
export const module = [getOrder]
