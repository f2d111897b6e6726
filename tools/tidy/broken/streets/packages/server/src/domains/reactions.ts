import { place } from './orders/place.ts'
export const reactions = place
