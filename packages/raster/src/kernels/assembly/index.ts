/** What the compiled module offers; TypeScript calls these with addresses and sizes that it has checked before. */
export { heapBase } from './heap.ts'
export { swapBytes16, swapBytes32, swapBytes64 } from './bytes.ts'
