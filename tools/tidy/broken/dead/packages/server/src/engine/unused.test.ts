import { unused } from './unused.ts'
export const tested = unused
