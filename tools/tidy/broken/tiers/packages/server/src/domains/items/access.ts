import { nameOf } from '../collections/names.ts'
export const mayRead = nameOf
