import { analyticsBandMathOperation } from '@swath/contract/operations/analytics.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { analyzeRasterWindow } from '../analyze-window.ts'

export const handler = defineHandler(analyticsBandMathOperation, (call, { vmin, vmax, ...input }) =>
  analyzeRasterWindow(call, {
    ...input,
    method: 'band_math',
    path: 'formula',
    // As rasterio reads them: whoever wants reflectances writes the scale into the formula.
    scaled: false,
    range: [vmin ?? null, vmax ?? null],
  }),
)
