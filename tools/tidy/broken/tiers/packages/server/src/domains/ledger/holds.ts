import { findOrder } from '../orders/store.ts'
export const hold = findOrder
