import { house } from '../house.ts'
export const chest = house
