import { place } from '../domains/orders/place.ts'
export const server = place
