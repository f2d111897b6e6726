/** What the compiled module offers; TypeScript calls these with addresses and sizes that it has checked before. */
export { heapBase } from './heap.ts'
export { copyRows, spreadBits, swapBytes16, swapBytes32, swapBytes64 } from './bytes.ts'
export { applyPredictor2, applyPredictor3, undoPredictor2, undoPredictor3 } from './predictors.ts'
export { copyBand } from './bands.ts'
export { halveMean } from './halve.ts'
export { markMissing } from './missing.ts'
export { filterUp } from './png.ts'
export * from './warp.ts'
