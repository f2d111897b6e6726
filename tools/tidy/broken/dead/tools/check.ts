import { word } from './word.ts'
export const check = word
