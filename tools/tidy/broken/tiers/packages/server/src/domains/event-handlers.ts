import { place } from './orders/place.ts'
export const eventHandlers = place
