import type { ColourOperation } from './colour-formula.ts'
import type { Colormap } from './colormap.ts'
import type { RescaleRange, ToneOptions } from './stretch.ts'
import type { TerrainRgbOptions } from './terrain.ts'
import type { BandIndexByName } from '../../compute/expression/evaluate.ts'
import type { Expression } from '../../compute/expression/expression.ts'

/** Style of a rendered image, as plain values that can be sent to another thread. */
export type RasterStyle = RasterBandStyle | RasterExpressionStyle | RasterTerrainStyle

interface Stretched extends ToneOptions {
  /**
   * The values that become black and white, or the ends of a ramp: one for all bands or one for each; default 0 and 255.
   * Categories and intervals look at raw values.
   */
  readonly ranges?: readonly RescaleRange[]
  /** Applied to the stretched bytes, in this order. */
  readonly colourOperations?: readonly ColourOperation[]
  /** Colours one band. */
  readonly colormap?: Colormap | null
}

/** One band as gray or through a colormap, or three as red, green and blue. */
export interface RasterBandStyle extends Stretched {
  readonly kind: 'bands'
  /** 0-based bands of the block, one or three; default all that it has. */
  readonly bandIndexes?: readonly number[]
}

/** The result of an expression, as gray or through a colormap. */
export interface RasterExpressionStyle extends Stretched {
  readonly kind: 'expression'
  readonly expression: Expression
  /** The 0-based band of the block for each name in the expression. */
  readonly bandIndexByName: BandIndexByName
}

/** Heights encoded as terrain-RGB, which a map client decodes. */
export interface RasterTerrainStyle {
  readonly kind: 'terrain'
  /** The 0-based band of the block; default the first. */
  readonly bandIndex?: number
  readonly terrain: TerrainRgbOptions
}
