import { getOrder } from './operations/orders.get.ts'
export const module = [getOrder]
