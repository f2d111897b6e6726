// Tests may look anywhere.
import { house } from '../house.ts'
export const tested = house
