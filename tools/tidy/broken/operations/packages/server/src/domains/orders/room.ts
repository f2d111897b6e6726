import { getOrder } from './orders.get.ts'
export const room = [getOrder]
